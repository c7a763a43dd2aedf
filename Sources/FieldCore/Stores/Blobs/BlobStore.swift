/// Keeps blobs, such as photos and routes, by the name of their content.
///
/// A record that refers to a blob is committed after ``put(_:)`` has returned, and the blob's lease is
/// ended after that. Blobs that no record refers to are removed by ``sweep(keeping:)``, which the owner
/// of the records calls when it opens.
public protocol BlobStore: Sendable {
  /// Stores the bytes; when it returns they are on the device.
  ///
  /// - Returns: A lease on the blob, which keeps it from the sweep.
  func put(_ bytes: [UInt8]) async throws -> BlobLease

  /// The bytes of a blob, or nil when it is not there.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/damaged`` when the bytes are not those
  ///   that were put.
  func bytes(of id: BlobID) async throws -> [UInt8]?

  /// Whether a blob is there.
  func contains(_ id: BlobID) async throws -> Bool

  /// How large a blob is and which file it is in, without a look at its bytes where that can be; nil
  /// when it is not there. By default the bytes are read and counted.
  func status(of id: BlobID) async throws -> BlobStatus?

  /// Removes a blob, when it is there and not on lease.
  func remove(_ id: BlobID) async throws

  /// Removes the blobs that are not in `ids` and not on lease.
  ///
  /// - Returns: What was removed.
  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID>

  /// Removes the blobs that are neither in what `ids` gives nor on lease at any moment of the call: for
  /// records that others may commit meanwhile.
  ///
  /// A set that was made before the call may lack a blob that a record refers to by now, and whose lease
  /// has ended. By default `ids` is asked and its set is swept with, which leaves that gap.
  ///
  /// - Returns: What was removed.
  @discardableResult
  func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID>

  /// Removes a blob, unless `isInUse` says that a record refers to it or it is on lease at any moment of
  /// the call: for bytes that others may put and refer to meanwhile.
  ///
  /// By default `isInUse` is asked and the blob removed after it, which leaves a gap between the two.
  func remove(_ id: BlobID, unless isInUse: @Sendable () async throws -> Bool) async throws
}

extension BlobStore {
  /// Asks whether the blob is in use, and removes it when it is not.
  public func remove(
    _ id: BlobID, unless isInUse: @Sendable () async throws -> Bool
  ) async throws {
    if try await !isInUse() { try await remove(id) }
  }

  /// Asks what to keep, and sweeps with the answer.
  @discardableResult
  public func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await sweep(keeping: try await ids())
  }
}
