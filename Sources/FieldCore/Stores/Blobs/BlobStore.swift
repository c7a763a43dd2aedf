/// Keeps blobs, such as photos and routes, by the name of their content.
///
/// A record that refers to a blob is committed after ``put(_:)`` has returned. The blob is then claimed
/// with ``claim(_:)``, and its lease is ended.
///
/// A process that dies in between leaves a blob that no record refers to. The owner of the records removes
/// such blobs with ``sweepUnclaimed(releasing:keepingThoseOf:)`` when it opens. A claimed blob stays even
/// if no record refers to it any more, because the record may be lost to damage of the record store. It
/// goes when its record is removed, or when everything is erased with ``sweep(keepingThoseOf:)``.
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

  /// Removes the blobs that are not in `ids` and not on lease, whether they are claimed or not.
  ///
  /// Call it only if nothing may be lost that refers to other blobs, for example to erase everything.
  ///
  /// - Returns: What was removed.
  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID>

  /// Removes the blobs that are neither in what `ids` gives nor on lease at any moment of the call, whether
  /// they are claimed or not: for records that others may commit meanwhile.
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

  /// Notes that durable records refer to these blobs, so that they stay if the records are lost.
  ///
  /// Does nothing by default.
  func claim(_ ids: Set<BlobID>) async throws

  /// Takes claims back, and removes the blobs that nothing claims or refers to.
  ///
  /// Only blobs that were put and never claimed, or released, are removed, unless they are on lease at
  /// any moment of the call. A blob in use is claimed instead.
  ///
  /// By default, only the released blobs are removed: a store that doesn't remember claims can't tell a
  /// blob that no record ever referred to from one whose record is lost.
  ///
  /// - Parameters:
  ///   - ids: The blobs that records referred to until now. They lose their claims unless they are in use.
  ///   - blobsInUse: Returns the blobs that records refer to, or `nil` if that is unknown, for example
  ///     because a damaged part of the records was set aside. No blob is removed then, but those in `ids`
  ///     lose their claims, so that a later call removes them.
  func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws
}

extension BlobStore {
  /// Does nothing.
  public func claim(_ ids: Set<BlobID>) async throws {}

  /// Removes the blobs in `ids` that aren't in use.
  public func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    for id in ids { try await remove(id) { try await blobsInUse()?.contains(id) ?? true } }
  }

  /// Takes claims back from blobs whose records are about to be removed.
  ///
  /// A process that dies before it removes the blobs leaves them to the next sweep. If the records stay,
  /// that sweep claims the blobs again.
  package func release(_ ids: Set<BlobID>) async throws {
    try await sweepUnclaimed(releasing: ids) { nil }
  }

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
