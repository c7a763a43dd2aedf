/// A file system that keeps files under the conditions of a ``FilePlacement``.
///
/// It refuses unsuitable volumes before it creates or opens a file, marks each file that it opens
/// for writing, and recognizes the errors of a locked device. Everything else passes through.
package final class PlacedFileSystem: FileSystem {
  private let base: any FileSystem
  private let placement: FilePlacement
  /// The directories whose location was checked.
  private let checked = Lock<[String]>([])

  package init(_ base: any FileSystem, _ placement: FilePlacement) {
    self.base = base
    self.placement = placement
  }

  package func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try checkLocation(of: path)
    let file = try noting { () throws(FileSystemError) in try base.openFile(path, mode) }
    guard mode != .reading else { return file }
    do throws(FileSystemError) {
      try noting { () throws(FileSystemError) in try mark(path) }
    } catch {
      // A file without its protection class must not stay.
      _ = try? base.closeFile(file)
      if mode == .makingNew { _ = try? base.removeIfThere(path) }
      throw error
    }
    return file
  }

  private func mark(_ path: String) throws(FileSystemError) {
    if let protection = placement.protection { try base.setProtection(protection, of: path) }
    // A backup that is too large loses nothing, so a failure isn't one of the store.
    if !placement.isBackedUp { _ = try? base.excludeFromBackup(path) }
  }

  /// Refuses a path on an unsuitable volume.
  private func checkLocation(of path: String) throws(FileSystemError) {
    let directory = Self.parent(of: path)
    if checked.withLock({ $0.contains(directory) }) { return }
    switch try base.location(of: directory) {
    case .local: break
    case .network: if !placement.allowsNetworkVolumes { throw .remote(path) }
    case .ubiquitous: throw .remote(path)
    }
    checked.withLock { $0.append(directory) }
  }

  /// Marks an error that says that the device is locked.
  private func noting<Result>(
    _ body: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      var error = error
      error.isLocked = placement.mayBeLocked && error.isNotPermitted
      throw error
    }
  }

  package func closeFile(_ file: OpenFile) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.closeFile(file) }
  }

  package func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try noting { () throws(FileSystemError) in try base.read(file, at: offset, count: count) }
  }

  package func staysReadable(_ file: OpenFile) -> Bool {
    placement.staysReadable && base.staysReadable(file)
  }

  package func write(
    _ bytes: [UInt8], to file: OpenFile, at offset: Int
  ) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.write(bytes, to: file, at: offset) }
  }

  package func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.truncate(file, to: size) }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.sync(file) }
  }

  package func syncDirectory(_ path: String) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.syncDirectory(path) }
  }

  package func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try noting { () throws(FileSystemError) in try base.status(at: path) }
  }

  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try noting { () throws(FileSystemError) in try base.status(of: file) }
  }

  package func rename(_ old: String, to new: String) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.rename(old, to: new) }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.remove(path) }
  }

  package func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.setModified(path, to: nanoseconds) }
  }

  package func makeDirectory(_ path: String) throws(FileSystemError) {
    try checkLocation(of: path)
    try noting { () throws(FileSystemError) in try base.makeDirectory(path) }
  }

  package func names(in path: String) throws(FileSystemError) -> [String] {
    try noting { () throws(FileSystemError) in try base.names(in: path) }
  }

  package func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try noting { () throws(FileSystemError) in try base.tryLock(file) }
  }

  package func unlock(_ file: OpenFile) throws(FileSystemError) {
    try noting { () throws(FileSystemError) in try base.unlock(file) }
  }

  package func canonical(_ path: String) -> String { base.canonical(path) }

  package func setProtection(
    _ protection: FileProtection, of path: String
  ) throws(FileSystemError) {
    try base.setProtection(protection, of: path)
  }

  package func excludeFromBackup(_ path: String) throws(FileSystemError) {
    try base.excludeFromBackup(path)
  }

  package func location(of path: String) throws(FileSystemError) -> FileLocation {
    try base.location(of: path)
  }
}
