/// A blob store that leaves what it doesn't do itself to another one.
package protocol ForwardingBlobStore: BlobStore {
  func target() throws -> any BlobStore
}

extension ForwardingBlobStore {
  package func put(_ bytes: [UInt8]) async throws -> BlobLease { try await target().put(bytes) }

  package func bytes(of id: BlobID) async throws -> [UInt8]? { try await target().bytes(of: id) }

  package func contains(_ id: BlobID) async throws -> Bool { try await target().contains(id) }

  package func status(of id: BlobID) async throws -> BlobStatus? {
    try await target().status(of: id)
  }

  package func remove(_ id: BlobID) async throws { try await target().remove(id) }

  @discardableResult
  package func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await target().sweep(keeping: ids)
  }

  @discardableResult
  package func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await target().sweep(keepingThoseOf: ids)
  }

  package func remove(_ id: BlobID, unless isInUse: @Sendable () async throws -> Bool) async throws
  {
    try await target().remove(id, unless: isInUse)
  }

  package func claim(_ ids: Set<BlobID>) async throws { try await target().claim(ids) }

  package func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try await target().sweepUnclaimed(releasing: ids, keepingThoseOf: blobsInUse)
  }
}

/// A blob store of a storage, by name. It opens on first use, as ``NamedStore`` does.
final class NamedBlobStore: ForwardingBlobStore {
  private let name: String
  private let storage: any StorageProvider
  private let opened = Lock<(any BlobStore)?>(nil)

  init(_ name: String, in storage: any StorageProvider) {
    self.name = name
    self.storage = storage
  }

  func target() throws -> any BlobStore {
    try opened.withLock { opened in
      let store = try opened ?? storage.blobs(name)
      opened = store
      return store
    }
  }
}

extension Storage {
  /// Returns the store of blobs with a name, which opens on first use.
  public func blobStore(_ name: String) -> any BlobStore { NamedBlobStore(name, in: self) }
}
