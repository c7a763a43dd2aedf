public import FieldFoundation

/// A directory of journals, as returned by a ``StorageProvider``: files that grow by one entry at a
/// time during a recording, such as a walk.
///
/// A recording exists only in its journal until it is saved in a store, so choose a place that the
/// system doesn't empty. The owner of a journal holds an advisory lock on its file while it
/// records. On iOS, this works in the app's container, but not in a container shared by an app
/// group, where the system terminates a suspended app that holds a lock.
public struct JournalDirectory: Sendable {
  package let path: String
  package let access: StoreAccess
  package let fileSystem: any FileSystem

  /// Creates a directory of files, which is created on first use.
  public init(_ url: URL, access: StoreAccess = .readWrite) {
    self.init(path: url.absoluteURL.path, access: access, fileSystem: PosixFileSystem())
  }

  package init(path: String, access: StoreAccess = .readWrite, fileSystem: any FileSystem) {
    self.path = path
    self.access = access
    self.fileSystem = fileSystem
  }

  /// Returns a new directory in memory, which exists as long as a copy of this value.
  public static func inMemory() -> JournalDirectory {
    JournalDirectory(path: "/journals", fileSystem: VolatileFileSystem())
  }
}
