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
