/// A blob store of a storage, by name. It opens on first use, as ``NamedStore`` does.
final class NamedBlobStore: BlobStore {
  private let name: String
  private let storage: any StorageProvider
  private let opened = Lock<(any BlobStore)?>(nil)

  init(_ name: String, in storage: any StorageProvider) {
    self.name = name
    self.storage = storage
  }

  func put(_ bytes: [UInt8]) async throws -> BlobLease { try await store().put(bytes) }

  func bytes(of id: BlobID) async throws -> [UInt8]? { try await store().bytes(of: id) }

  func contains(_ id: BlobID) async throws -> Bool { try await store().contains(id) }

  func status(of id: BlobID) async throws -> BlobStatus? { try await store().status(of: id) }

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
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try storage.blobs(name)
      opened = store
      return store
    }
  }
}

extension Storage {
  /// Returns the store of blobs with a name, which opens on first use.
  public func blobStore(_ name: String) -> any BlobStore { NamedBlobStore(name, in: self) }
}
