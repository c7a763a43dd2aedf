package import FieldCore

/// Stores in the files of any file system, which share nothing with others, as if each storage were in a
/// process of its own.
package struct FileSystemStorage: StorageProvider {
  private let root: String
  private let fileSystem: any FileSystem
  private let clock: any FieldClock
  private let grace: Duration

  package init(
    _ root: String, _ fileSystem: any FileSystem, clock: any FieldClock,
    grace: Duration = .seconds(3_600)
  ) {
    self.root = root
    self.fileSystem = fileSystem
    self.clock = clock
    self.grace = grace
  }

  package func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    FileStore<Record>(unsharedPath: "\(root)/\(name).store", fileSystem: fileSystem, clock: clock)
  }

  package func blobs(_ name: String) throws -> any BlobStore {
    FileBlobStore(
      path: "\(root)/\(name).blobs", grace: grace, clock: clock, fileSystem: fileSystem)
  }

  package func journals(_ name: String) throws -> JournalDirectory {
    JournalDirectory(path: "\(root)/\(name).journals", fileSystem: fileSystem)
  }
}
