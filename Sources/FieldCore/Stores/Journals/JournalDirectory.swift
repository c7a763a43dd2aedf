public import FieldFoundation

/// The place of a ``StorageProvider``'s journals: files that grow one entry at a time during an
/// activity, such as a walk.
///
/// The entries of a journal aren't in a store yet. Choose a place that the system doesn't empty. The
/// owner of a journal holds an advisory lock of its file while it records. The system may end an app that is
/// suspended with a lock: call the kit's `suspend()` before, such as that of a `WalkDiary`, and its `resume()`
/// after.
public struct JournalDirectory: Sendable {
  package let path: String
  package let access: StoreAccess
  package let fileSystem: any FileSystem

  /// Creates a directory of files, which is created on first use.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - access: Whether journals may be created, changed, and removed.
  ///   - protection: The protection of the files while the device is locked. Defaults to that of
  ///     the app's files.
  ///   - allowsNetworkVolumes: Pass `true` if the directory may be on a network volume, whose locks
  ///     and syncs you trust. Defaults to `false`.
  public init(
    _ url: URL, access: StoreAccess = .readWrite, protection: FileProtection? = nil,
    allowsNetworkVolumes: Bool = false
  ) {
    let placement = FilePlacement(
      protection: protection, allowsNetworkVolumes: allowsNetworkVolumes)
    self.init(
      path: url.absolutePath, access: access,
      fileSystem: PlacedFileSystem(PosixFileSystem(), placement))
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
