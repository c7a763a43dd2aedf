/// A store that keeps blobs in memory, for tests and previews.
public final class InMemoryBlobStore: BlobStore {
  private struct State: Sendable {
    var bytes: [BlobID: [UInt8]] = [:]
    var unclaimed: Set<BlobID> = []

    mutating func remove(_ id: BlobID) {
      bytes[id] = nil
      unclaimed.remove(id)
    }
  }

  private let blobs = Lock(State())
  private let leases = BlobLeases()

  /// Creates an empty store.
  public init() {}

  /// Stores the bytes.
  public func put(_ bytes: [UInt8]) async throws -> BlobLease {
    let id = BlobID(of: bytes)
    let lease = leases.lease(id)
    blobs.withLock { blobs in
      if blobs.bytes.updateValue(bytes, forKey: id) == nil { blobs.unclaimed.insert(id) }
    }
    return lease
  }

  /// Returns the bytes of a blob, or `nil` if the blob doesn't exist.
  public func bytes(of id: BlobID) async throws -> [UInt8]? { blobs.withLock { $0.bytes[id] } }

  /// Returns a Boolean value that indicates whether a blob exists.
  public func contains(_ id: BlobID) async throws -> Bool { blobs.withLock { $0.bytes[id] != nil } }

  /// Returns the size of a blob, or `nil` if the blob doesn't exist.
  public func status(of id: BlobID) async throws -> BlobStatus? {
    blobs.withLock { blobs in blobs.bytes[id].map { BlobStatus(byteCount: $0.count) } }
  }

  /// Removes a blob if it exists and isn't leased.
  public func remove(_ id: BlobID) async throws {
    _ = try remove([id], since: nil)
  }

  /// Removes a blob, unless it is in use, or leased during the call.
  public func remove(
    _ id: BlobID, unless isInUse: @Sendable () async throws -> Bool
  ) async throws {
    try await leases.removing { start in
      if try await !isInUse() { _ = try remove([id], since: start) }
    }
  }

  /// Removes the blobs that are neither in `ids` nor leased.
  @discardableResult
  public func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try sweep(keeping: ids, since: nil)
  }

  private func sweep(keeping ids: Set<BlobID>, since start: Int?) throws -> Set<BlobID> {
    try remove(blobs.withLock { Set($0.bytes.keys) }.subtracting(ids), since: start)
  }

  private func remove(_ ids: Set<BlobID>, since start: Int?) throws -> Set<BlobID> {
    try ids.filter { id in
      try leases.unlessLeased(id, since: start) { blobs.withLock { $0.remove(id) } }
    }
  }

  /// Removes the blobs that are neither in the result of `ids` nor leased during the call.
  @discardableResult
  public func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await leases.removing { start in try sweep(keeping: try await ids(), since: start) }
  }

  /// Records that durable records refer to these blobs.
  public func claim(_ ids: Set<BlobID>) async throws {
    blobs.withLock { $0.unclaimed.subtract(ids) }
  }

  /// Releases claims, and removes unclaimed blobs that are neither in use nor leased during the
  /// call.
  public func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try await leases.removing { start in
      let used = try await blobsInUse()
      let unclaimed = blobs.withLock { blobs in
        blobs.unclaimed.formUnion(ids.filter { blobs.bytes[$0] != nil })
        blobs.unclaimed.subtract(used ?? [])
        return used == nil ? [] : blobs.unclaimed
      }
      _ = try remove(unclaimed, since: start)
    }
  }
}
