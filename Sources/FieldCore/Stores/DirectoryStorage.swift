internal import FieldFoundation

/// A storage of files in a directory: `name.store` for records, `name.blobs` for blobs,
/// `name.journals` for journals, and `name.assets` for an asset cache, which may be in another
/// directory.
struct DirectoryStorage: StorageProvider {
  let access: StoreAccess
  let durability: Durability
  let protection: FileProtection?
  let allowsNetworkVolumes: Bool
  let clock: any FieldClock
  var observer: FieldObserver?
  let directory: @Sendable () throws -> URL
  var assetDirectory: (@Sendable () throws -> URL)?

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    FileStore<Record>(
      try Self.url("\(StorageName(name)).store", in: directory()), access: access,
      durability: durability, protection: protection, allowsNetworkVolumes: allowsNetworkVolumes,
      clock: clock, observer: observer)
  }

  func blobs(_ name: String) throws -> any BlobStore {
    FileBlobStore(
      try Self.url("\(StorageName(name)).blobs", in: directory()), access: access,
      protection: protection, allowsNetworkVolumes: allowsNetworkVolumes, clock: clock)
  }

  func assets(_ name: String) throws -> AssetDirectory? {
    AssetDirectory(
      try Self.url("\(StorageName(name)).assets", in: (assetDirectory ?? directory)()),
      access: access,
      protection: protection, allowsNetworkVolumes: allowsNetworkVolumes)
  }

  func journals(_ name: String) throws -> JournalDirectory {
    JournalDirectory(
      try Self.url("\(StorageName(name)).journals", in: directory()), access: access,
      protection: protection, allowsNetworkVolumes: allowsNetworkVolumes)
  }

  func observed(by observer: FieldObserver) -> any StorageProvider {
    var storage = self
    storage.observer = self.observer?.and(observer) ?? observer
    return storage
  }

  private static func url(_ file: String, in directory: URL) throws -> URL {
    guard directory.isFileURL else {
      throw FieldError(.invalidInput, "A storage needs a file URL, but \(directory) isn't one.")
    }
    return directory.appending(path: file)
  }
}
