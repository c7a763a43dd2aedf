/// The calls that the stores make to the operating system, so that tests can make any of them fail.
///
/// Paths are absolute. A call either does all that it says or throws; what is on the device after a
/// failed write is unknown.
package protocol FileSystem: Sendable {
  /// Opens a file.
  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile

  /// Closes a file; it is closed even when this throws.
  func closeFile(_ file: OpenFile) throws(FileSystemError)

  /// Reads up to `count` bytes; fewer only at the end of the file.
  func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8]

  /// Writes all the bytes.
  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError)

  /// Makes the file shorter.
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError)

  /// Returns when the content of the file is on the device.
  func sync(_ file: OpenFile) throws(FileSystemError)

  /// Returns when the names in a directory are on the device.
  func syncDirectory(_ path: String) throws(FileSystemError)

  /// What is at a path; nil when there is nothing.
  func status(at path: String) throws(FileSystemError) -> FileStatus?

  /// What an open file is.
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus

  /// Gives a file a name, in place of the one that has that name.
  func rename(_ old: String, to new: String) throws(FileSystemError)

  /// Removes a file.
  func remove(_ path: String) throws(FileSystemError)

  /// Sets when the content of a file was last changed, in nanoseconds since 1970.
  ///
  /// A cache tells by it after a restart what was used last. A file system that cannot do it does
  /// nothing, which is the default.
  func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError)

  /// Makes a directory whose parent is there, for its owner only.
  func makeDirectory(_ path: String) throws(FileSystemError)

  /// The names in a directory, in no order.
  func names(in path: String) throws(FileSystemError) -> [String]

  /// Takes the advisory lock of the file; false when another holds it.
  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool

  /// Gives the advisory lock back.
  func unlock(_ file: OpenFile) throws(FileSystemError)

  /// The path without links, dots and the like; the part that is not there stays as it is.
  func canonical(_ path: String) -> String
}

/// How a file is opened.
package enum OpenMode: Sendable {
  /// For reading; it has to be there.
  case reading
  /// For reading and writing; it has to be there.
  case writing
  /// For reading and writing; it is made when it is not there.
  case making
  /// For reading and writing; it must not be there.
  case makingNew
}

/// An open file.
package struct OpenFile: Sendable, Hashable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }
}

/// What tells one file, and one state of it, from another.
package struct FileStatus: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// When the content was last changed, in nanoseconds since 1970.
  package var modified: Int64
  package var isDirectory: Bool

  package init(device: UInt64, inode: UInt64, size: Int, modified: Int64, isDirectory: Bool) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.isDirectory = isDirectory
  }

  /// Whether both are of one file, at whatever time.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension FileSystem {
  package func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError) {}

  /// Makes a directory and those above it that are not there, and makes their names durable.
  package func makeDirectories(_ path: String) throws(FileSystemError) {
    if let status = try status(at: path), status.isDirectory { return }
    let parent = Self.parent(of: path)
    if parent != path { try makeDirectories(parent) }
    do throws(FileSystemError) {
      try makeDirectory(path)
    } catch  where error.isAlreadyThere {
      return  // another process was faster
    }
    try syncDirectory(parent)
  }

  /// Removes a file that may not be there; tells whether it was.
  @discardableResult
  package func removeIfThere(_ path: String) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try remove(path)
      return true
    } catch  where error.isNotFound {
      return false
    }
  }

  /// The whole file from `offset` on.
  package func readAll(
    _ file: OpenFile, from offset: Int = 0
  ) throws(FileSystemError) -> [UInt8] {
    let size = try status(of: file).size
    return size > offset ? try read(file, at: offset, count: size - offset) : []
  }

  /// The directory that a path is in.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
