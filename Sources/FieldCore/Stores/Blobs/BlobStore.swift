public import FieldFoundation

/// A type that stores blobs, such as photos and routes, under IDs derived from their content.
///
/// Commit a record that refers to a blob after ``put(_:)`` has returned. Then claim the blob with
/// ``claim(_:)``, and end its lease.
///
/// A process that dies in between leaves a blob that no record refers to. The owner of the records
/// removes such blobs with ``sweepUnclaimed(releasing:keepingThoseOf:)`` when it opens. A claimed
/// blob stays even if no record refers to it any longer, because damage to the record store may
/// have lost the record. It is removed when its record is removed, or when everything is erased
/// with ``sweep(keepingThoseOf:)``.
public protocol BlobStore: Sendable {
  /// Stores the bytes; when the method returns, they are on the device.
  ///
  /// - Returns: A lease that protects the blob from sweeps.
  func put(_ bytes: [UInt8]) async throws -> BlobLease

  /// Returns the bytes of a blob, or `nil` if the blob doesn't exist.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/damaged`` if the bytes don't match
  ///   the ID.
  func bytes(of id: BlobID) async throws -> [UInt8]?

  /// Returns a Boolean value that indicates whether a blob exists.
  func contains(_ id: BlobID) async throws -> Bool

  /// Returns the size and the file of a blob, or `nil` if the blob doesn't exist.
  ///
  /// By default, the method reads the blob to count its bytes.
  func status(of id: BlobID) async throws -> BlobStatus?

  /// Removes a blob if it exists and isn't leased.
  func remove(_ id: BlobID) async throws

  /// Removes the blobs that are neither in `ids` nor leased, whether they are claimed or not.
  ///
  /// Call this method only if no lost records may refer to other blobs, for example to erase
  /// everything.
  ///
  /// - Returns: The IDs of the removed blobs.
  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID>

  /// Removes the blobs that are neither in the result of `ids` nor leased at any time during the
  /// call.
  ///
  /// Claimed blobs are removed, too. Use this method if others may commit records in the meantime.
  /// A set computed before the call may lack a blob to which a new record refers, and whose lease
  /// has ended. The default implementation has that gap: it calls `ids` and sweeps with its result.
  ///
  /// - Returns: The IDs of the removed blobs.
  @discardableResult
  func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID>

  /// Removes a blob, unless `isInUse` returns `true` or the blob is leased at any time during the
  /// call.
  ///
  /// Use this method if others may store the same blob and refer to it in the meantime. The default
  /// implementation calls `isInUse` and then removes the blob, which leaves a gap between the two.
  func remove(_ id: BlobID, unless isInUse: @Sendable () async throws -> Bool) async throws

  /// Records that durable records refer to these blobs, so that they stay if the records are lost.
  ///
  /// By default, the method does nothing.
  func claim(_ ids: Set<BlobID>) async throws

  /// Releases claims, and removes the blobs that nothing claims or refers to.
  ///
  /// Only blobs that were put and never claimed, or released, are removed, unless they are on lease at
  /// any moment of the call. A blob in use is claimed instead. A claimed blob that isn't in use means that
  /// records are lost; ``FileBlobStore`` then removes only released blobs.
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

  /// Releases the claims of blobs whose records are about to be removed.
  ///
  /// If the process dies before it removes the blobs, the next sweep does so. If the records stay,
  /// that sweep claims the blobs again.
  package func release(_ ids: Set<BlobID>) async throws {
    try await sweepUnclaimed(releasing: ids) { nil }
  }

  /// Removes the blob if `isInUse` returns `false`.
  public func remove(
    _ id: BlobID, unless isInUse: @Sendable () async throws -> Bool
  ) async throws {
    if try await !isInUse() { try await remove(id) }
  }

  /// Sweeps, keeping the blobs that `ids` returns.
  @discardableResult
  public func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await sweep(keeping: try await ids())
  }
}

/// The size and the location of a blob.
public struct BlobStatus: Sendable, Hashable, Codable {
  /// The size of the blob, in bytes.
  public var byteCount: Int
  /// The file that contains the blob, or `nil` if the store doesn't use files.
  ///
  /// You can display or send the file without a copy, but must never change it.
  public var file: URL?

  /// Creates a description of a blob.
  public init(byteCount: Int, file: URL? = nil) {
    self.byteCount = byteCount
    self.file = file
  }
}

extension BlobStore {
  /// Returns the status after reading the blob to count its bytes.
  public func status(of id: BlobID) async throws -> BlobStatus? {
    try await bytes(of: id).map { BlobStatus(byteCount: $0.count) }
  }
}
