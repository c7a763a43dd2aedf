internal import FieldCore

/// A blob store that is asked for at its first use, so that making a diary neither waits nor throws.
final class LazyBlobStore: BlobStore {
  private let make: @Sendable () throws -> any BlobStore
  private let made = Lock<(any BlobStore)?>(nil)

  init(_ make: @escaping @Sendable () throws -> any BlobStore) { self.make = make }

  func put(_ bytes: [UInt8]) async throws -> BlobLease { try await store().put(bytes) }

  func bytes(of id: BlobID) async throws -> [UInt8]? { try await store().bytes(of: id) }

  func contains(_ id: BlobID) async throws -> Bool { try await store().contains(id) }

  func remove(_ id: BlobID) async throws { try await store().remove(id) }

  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await store().sweep(keeping: ids)
  }

  @discardableResult
  func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await store().sweep(keepingThoseOf: ids)
  }

  func remove(_ id: BlobID, unless isInUse: @Sendable () async throws -> Bool) async throws {
    try await store().remove(id, unless: isInUse)
  }

  func claim(_ ids: Set<BlobID>) async throws { try await store().claim(ids) }

  func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try await store().sweepUnclaimed(releasing: ids, keepingThoseOf: blobsInUse)
  }

  private func store() throws -> any BlobStore {
    try made.withLock { made in
      if let made { return made }
      let store = try make()
      made = store
      return store
    }
  }
}
