private import FieldLibc

/// The system calls of the stores, so that tests can make any of them fail.
///
/// Paths are absolute. A call either succeeds completely or throws; what is on the device after a
/// failed write is unknown.
package protocol FileSystem: Sendable {
  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile

  /// Closes a file; it is closed even when this throws.
  func closeFile(_ file: OpenFile) throws(FileSystemError)

  /// Reads up to `count` bytes; fewer only at the end of the file.
  func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8]

  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError)

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError)

  /// Syncs the content of the file to the device.
  func sync(_ file: OpenFile) throws(FileSystemError)

  /// Syncs the names in a directory to the device.
  func syncDirectory(_ path: String) throws(FileSystemError)

  /// Returns the status of the file at a path, or `nil` if there is none.
  func status(at path: String) throws(FileSystemError) -> FileStatus?

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus

  /// Renames a file, replacing any file with the new name.
  func rename(_ old: String, to new: String) throws(FileSystemError)

  func remove(_ path: String) throws(FileSystemError)

  /// Sets the modification time of a file, in nanoseconds since 1970.
  ///
  /// After a restart, a cache reads the order of use from it. By default, the method does nothing,
  /// for file systems that don't support it.
  func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError)

  /// Sets the protection class of a file, where the platform has such classes.
  ///
  /// By default, the method does nothing.
  func setProtection(_ protection: FileProtection, of path: String) throws(FileSystemError)

  /// Excludes a file from backups, where the platform backs up the files of an app.
  ///
  /// By default, the method does nothing.
  func excludeFromBackup(_ path: String) throws(FileSystemError)

  /// Returns the kind of volume of a path, or of its nearest directory that exists.
  ///
  /// By default, the volume is local.
  func location(of path: String) throws(FileSystemError) -> FileLocation

  /// Returns a Boolean value that indicates whether an open file can be read as long as the device works.
  ///
  /// A protected file can't be read while the device is locked, nor a remote one without a connection. By default, it is `true`.
  func staysReadable(_ file: OpenFile) -> Bool

  /// Creates a directory in an existing one, accessible only to its owner.
  func makeDirectory(_ path: String) throws(FileSystemError)

  /// Returns the names in a directory, in no particular order.
  func names(in path: String) throws(FileSystemError) -> [String]

  /// Takes the advisory lock of the file; returns `false` if another process holds it.
  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool

  func unlock(_ file: OpenFile) throws(FileSystemError)

  /// Returns the path without links, dots, and the like; a nonexistent part stays unchanged.
  func canonical(_ path: String) -> String
}

package enum OpenMode: Sendable {
  /// For reading; the file must exist.
  case reading
  /// For reading and writing; the file must exist.
  case writing
  /// For reading and writing; the file is created if it doesn't exist.
  case making
  /// For reading and writing; the file must not exist.
  case makingNew
}

package struct OpenFile: Sendable, Hashable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }
}

/// The identity of a file and of its state.
package struct FileStatus: Sendable, Hashable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// The modification time of the content, in nanoseconds since 1970.
  package var modified: Int64
  package var isDirectory: Bool

  package init(device: UInt64, inode: UInt64, size: Int, modified: Int64, isDirectory: Bool) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.isDirectory = isDirectory
  }

  /// Returns a Boolean value that indicates whether both describe the same file, at any time.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension FileSystem {
  package func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError) {}

  package func setProtection(
    _ protection: FileProtection, of path: String
  ) throws(FileSystemError) {}

  package func excludeFromBackup(_ path: String) throws(FileSystemError) {}

  package func location(of path: String) throws(FileSystemError) -> FileLocation { .local }

  package func staysReadable(_ file: OpenFile) -> Bool { true }

  /// Creates a directory and its missing ancestors, and syncs their names.
  ///
  /// The name of a directory that exists may not be on the device, because the process that created it died
  /// or couldn't sync it. Call ``syncName(ofDirectory:)`` before you create the first durable file in it.
  package func makeDirectories(_ path: String) throws(FileSystemError) {
    if try isDirectory(path) { return }
    let parent = Self.parent(of: path)
    if try isDirectory(parent) {
      try syncName(ofDirectory: parent)
    } else if parent != path {
      try makeDirectories(parent)
    }
    do throws(FileSystemError) {
      try makeDirectory(path)
    } catch  where error.isAlreadyThere {
      // Another process was faster, and may not have synced the name yet.
    }
    try syncDirectory(parent)
  }

  private func isDirectory(_ path: String) throws(FileSystemError) -> Bool {
    try status(at: path)?.isDirectory == true
  }

  /// Syncs the name of a directory, if this process can open the directory that contains it.
  ///
  /// Stores call this method before they create their first file in a directory. So if that file exists, the
  /// directory's own name is on the device.
  package func syncName(ofDirectory path: String) throws(FileSystemError) {
    let parent = Self.parent(of: path)
    guard parent != path else { return }
    do throws(FileSystemError) {
      try syncDirectory(parent)
    } catch  where error.isOutOfReach && !error.isLocked {
      // A process that can't open the parent hasn't created the directory.
    }
  }

  func openIfThere(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile? {
    do throws(FileSystemError) {
      return try openFile(path, mode)
    } catch  where error.isNotFound {
      return nil
    }
  }

  /// Makes a file that `body` writes, which stays open; removes it if that fails.
  func makeFile(
    _ path: String, _ body: (OpenFile) throws(FileSystemError) -> Void
  ) throws(FileSystemError) -> OpenFile {
    let file = try openFile(path, .makingNew)
    do throws(FileSystemError) {
      try body(file)
      return file
    } catch {
      // The original error matters more. If a file stays, the next opening removes it.
      _ = try? closeFile(file)
      _ = try? removeIfThere(path)
      throw error
    }
  }

  /// Removes a file that may not exist; returns `true` if it existed.
  @discardableResult
  package func removeIfThere(_ path: String) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try remove(path)
      return true
    } catch  where error.isNotFound {
      return false
    }
  }

  /// Returns the file's bytes from `offset` on.
  package func readAll(
    _ file: OpenFile, from offset: Int = 0
  ) throws(FileSystemError) -> [UInt8] {
    let size = try status(of: file).size
    return size > offset ? try read(file, at: offset, count: size - offset) : []
  }

  /// Returns the directory that contains a path.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
    else { return "/" }
    return String(path[..<slash])
  }
}

// MARK: - Setting aside

extension FileSystem {
  /// Saves bytes of a damaged file next to it under an unused name, and returns the path.
  package func setAside(
    _ bytes: [UInt8], beside paths: StoreFilePaths
  ) throws(FileSystemError) -> String {
    try setAside(beside: paths) { file throws(FileSystemError) in
      try write(bytes, to: file, at: 0)
    }
  }

  /// Saves the content of a damaged file from an offset on, and returns the path.
  ///
  /// Large holes of a sparse file stay holes.
  package func setAside(
    _ damaged: OpenFile, from offset: Int, beside paths: StoreFilePaths
  ) throws(FileSystemError) -> String {
    let end = try status(of: damaged).size
    return try setAside(beside: paths) { file throws(FileSystemError) in
      var place = offset
      while place < end {
        let part = try read(damaged, at: place, count: min(end - place, 1 << 20))
        guard !part.isEmpty else { return }
        let isLast = place + part.count == end
        if isLast || !part.isZero {
          try write(part, to: file, at: place - offset)
        }
        place += part.count
      }
    }
  }

  private func setAside(
    beside paths: StoreFilePaths, _ body: (OpenFile) throws(FileSystemError) -> Void
  ) throws(FileSystemError) -> String {
    try removeIfThere(paths.saving)
    let file = try makeFile(paths.saving) { file throws(FileSystemError) in
      try body(file)
      try sync(file)
    }
    try closeFile(file)
    let saved = try rename(paths.saving, toUnused: paths.setAside)
    try syncDirectory(paths.directory)
    return saved
  }

  /// Renames a file to the first name of those with numbers that isn't used, and returns that.
  @discardableResult
  func rename(
    _ old: String, toUnused name: (Int) -> String
  ) throws(FileSystemError) -> String {
    var number = 1
    while try status(at: name(number)) != nil { number += 1 }
    try rename(old, to: name(number))
    return name(number)
  }

  /// Returns the parts of a damaged file that were set aside, and its salvaged originals, in order.
  func partsOfDamage(
    beside paths: StoreFilePaths
  ) throws(FileSystemError) -> (setAside: [String], salvaged: [String]) {
    do throws(FileSystemError) {
      let names = try names(in: paths.directory)
      return (
        Self.inOrder(names.compactMap(paths.setAside(named:))),
        Self.inOrder(names.compactMap(paths.salvaged(named:)))
      )
    } catch  where error.isNotFound {
      return ([], [])
    }
  }

  /// Returns paths in the order of their numbers.
  private static func inOrder(_ paths: [String]) -> [String] {
    paths.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}

extension [UInt8] {
  /// Whether all bytes are zero: the first is, and each is the same as the next one.
  var isZero: Bool {
    unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = unsafe bytes.first else { return true }
      return unsafe first == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }

  /// Returns whether the bytes of a text, which isn't empty, occur among these.
  func contains(_ text: String) -> Bool {
    let part = Array(text.utf8)
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var place = 0
      let end = bytes.count - part.count + 1
      while place < end,
        let found = unsafe memchr(start + place, Int32(part[0]), end - place)
      {
        if unsafe memcmp(found, part, part.count) == 0 { return true }
        unsafe place = UnsafeRawPointer(found) - start + 1
      }
      return false
    }
  }
}
