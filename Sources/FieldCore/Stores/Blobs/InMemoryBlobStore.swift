/// Keeps blobs in memory, for tests and previews.
public final class InMemoryBlobStore: BlobStore {
  private let blobs = Lock<[BlobID: [UInt8]]>([:])
  private let leases = BlobLeases()

  /// Makes an empty store.
  public init() {}

  /// Stores the bytes.
  public func put(_ bytes: [UInt8]) async throws -> BlobLease {
    let id = BlobID(of: bytes)
    let lease = leases.lease(id)
    blobs.withLock { $0[id] = bytes }
    return lease
  }

  /// The bytes of a blob, or nil when it is not there.
  public func bytes(of id: BlobID) async throws -> [UInt8]? { blobs.withLock { $0[id] } }

  /// Whether a blob is there.
  public func contains(_ id: BlobID) async throws -> Bool { blobs.withLock { $0[id] != nil } }

  /// How large a blob is; nil when it is not there.
  public func status(of id: BlobID) async throws -> BlobStatus? {
    blobs.withLock { blobs in blobs[id].map { BlobStatus(byteCount: $0.count) } }
  }

  /// Removes a blob, when it is there and not on lease.
  public func remove(_ id: BlobID) async throws {
    _ = try leases.unlessLeased(id) { blobs.withLock { $0[id] = nil } }
  }

  /// Removes a blob, unless it is in use or on lease meanwhile.
  public func remove(
    _ id: BlobID, unless isInUse: @Sendable () async throws -> Bool
  ) async throws {
    try await leases.removing { start in
      guard try await !isInUse() else { return }
      _ = try leases.unlessLeased(id, since: start) { blobs.withLock { $0[id] = nil } }
    }
  }

  /// Removes the blobs that are not in `ids` and not on lease.
  @discardableResult
  public func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try sweep(keeping: ids, since: nil)
  }

  private func sweep(keeping ids: Set<BlobID>, since start: Int?) throws -> Set<BlobID> {
    var removed: Set<BlobID> = []
    for id in blobs.withLock({ Array($0.keys) }) where !ids.contains(id) {
      let isGone = try leases.unlessLeased(id, since: start) { blobs.withLock { $0[id] = nil } }
      if isGone { removed.insert(id) }
    }
    return removed
  }

  /// Removes the blobs that are neither in what `ids` gives nor on lease meanwhile.
  @discardableResult
  public func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await leases.removing { start in try sweep(keeping: try await ids(), since: start) }
  }
}
