#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Keeps stores in a folder: `meteorites` in the file `meteorites.store`.
struct DirectoryStorageProvider: StorageProvider {
  private let folder: URL
  private let access: StoreAccess
  private let durability: Durability

  init(_ folder: URL, access: StoreAccess, durability: Durability) {
    self.folder = folder
    self.access = access
    self.durability = durability
  }

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    FileStore<Record>(
      folder.appending(path: "\(name).store"), access: access, durability: durability)
  }
}
