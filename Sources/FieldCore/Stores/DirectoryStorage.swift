#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Gives stores of files in a directory: `name.store` for records and `name.blobs` for blobs.
struct DirectoryStorage: StorageProvider {
  private let access: StoreAccess
  private let durability: Durability
  private let clock: any FieldClock
  private let directory: @Sendable () throws -> URL

  init(
    access: StoreAccess, durability: Durability, clock: any FieldClock,
    directory: @escaping @Sendable () throws -> URL
  ) {
    self.access = access
    self.durability = durability
    self.clock = clock
    self.directory = directory
  }

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    FileStore<Record>(
      try url("\(StorageName(name)).store"), access: access, durability: durability, clock: clock)
  }

  func blobs(_ name: String) throws -> any BlobStore {
    FileBlobStore(try url("\(StorageName(name)).blobs"), access: access, clock: clock)
  }

  private func url(_ file: String) throws -> URL {
    let directory = try directory()
    guard directory.isFileURL else {
      throw FieldError(.invalidInput, "a storage needs a file URL, and \(directory) is none")
    }
    return directory.appending(path: file)
  }
}
