/// A blob store that leaves what it doesn't do itself to another one.
package protocol ForwardingBlobStore: BlobStore {
  /// Returns the other store.
  func base() throws -> any BlobStore
}

extension ForwardingBlobStore {
  package func put(_ bytes: [UInt8]) async throws -> BlobLease { try await base().put(bytes) }

  package func bytes(of id: BlobID) async throws -> [UInt8]? { try await base().bytes(of: id) }

  package func contains(_ id: BlobID) async throws -> Bool { try await base().contains(id) }

  package func status(of id: BlobID) async throws -> BlobStatus? { try await base().status(of: id) }

  package func remove(_ id: BlobID) async throws { try await base().remove(id) }

  @discardableResult
  package func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await base().sweep(keeping: ids)
  }

  @discardableResult
  package func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await base().sweep(keepingThoseOf: ids)
  }

  package func remove(_ id: BlobID, unless isInUse: @Sendable () async throws -> Bool) async throws
  {
    try await base().remove(id, unless: isInUse)
  }

  package func claim(_ ids: Set<BlobID>) async throws { try await base().claim(ids) }

  package func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try await base().sweepUnclaimed(releasing: ids, keepingThoseOf: blobsInUse)
  }
}
