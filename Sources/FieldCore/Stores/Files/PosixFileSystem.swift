internal import FieldLibc

/// The device's file system.
///
/// Calls interrupted by a signal are repeated, and reads and writes continue until they are
/// complete.
package struct PosixFileSystem: FileSystem {
  package init() {}

  package func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let flags =
      switch mode {
      case .reading: O_RDONLY | O_CLOEXEC
      case .writing: O_RDWR | O_CLOEXEC
      case .making: O_RDWR | O_CLOEXEC | O_CREAT | O_NOFOLLOW
      case .makingNew: O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL
      }
    // The status is read first, because opening some devices has side effects. `O_NONBLOCK`, because
    // opening a pipe would wait for another process.
    var found = stat()
    if unsafe stat(path, &found) == 0, !Self.isFile(found) { throw .notAFile(path) }
    let descriptor = try Self.call("open", path) {
      unsafe open(path, flags | O_NONBLOCK | O_NOCTTY, 0o600)
    }
    return try Self.openFile(descriptor, at: path)
  }

  /// Returns the open file of a descriptor, or closes it if the file isn't one that can be read at any position.
  ///
  /// - Throws: The error of `fstat`, if that is what failed.
  package static func openFile(
    _ descriptor: Int32, at path: String
  ) throws(FileSystemError) -> OpenFile {
    var found = stat()
    do throws(FileSystemError) {
      try call("fstat", path) { unsafe fstat(descriptor, &found) }
      guard isFile(found) else { throw .notAFile(path) }
      return OpenFile(descriptor: descriptor)
    } catch {
      _ = close(descriptor)
      throw error
    }
  }

  private static func isFile(_ status: stat) -> Bool {
    let type = status.st_mode & S_IFMT
    return type == S_IFREG || type == S_IFDIR
  }

  package func closeFile(_ file: OpenFile) throws(FileSystemError) {
    // A child process between fork and exec has copies of all descriptors, which would briefly keep
    // the lock. Unlocking releases it from the copies, too. A file that wasn't locked isn't
    // affected.
    flock(file.descriptor, LOCK_UN)
    // Not repeated after EINTR: on Linux the descriptor is closed, and may already belong to
    // another file.
    guard close(file.descriptor) == 0 || errno == EINTR else {
      throw FileSystemError(errno, call: "close", path: Self.name(of: file))
    }
  }

  package func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    var failure: FileSystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, done in
      unsafe preparePages(of: buffer)
      do throws(FileSystemError) {
        done = try Self.wholly("pread", file, count: buffer.count) { start, count in
          // There is a base, because there are bytes to read; Android's `pread` requires one.
          guard let base = buffer.baseAddress else { return 0 }
          return unsafe pread(
            file.descriptor, base + start, count, off_t(offset) + off_t(start))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package func staysReadable(_ file: OpenFile) -> Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      // Files of class B, C, and D can be read once they are open; those of class A, 1, only while the device is unlocked.
      return 2...4 ~= fcntl(file.descriptor, F_GETPROTECTIONCLASS)
    #else
      return true
    #endif
  }

  /// Lets the system prepare the pages of a large buffer at once, and use huge ones: otherwise, the first touch of each is a fault, which takes
  /// longer than filling it.
  private func preparePages(of buffer: UnsafeMutableBufferPointer<UInt8>) {
    #if canImport(Glibc)
      let (page, huge) = (1 << 12, 1 << 21)
      guard buffer.count >= 64 * page, let base = buffer.baseAddress else { return }
      /// Advises the system about the pages from the first boundary on; if it can't follow, nothing changes.
      func advise(_ advice: Int32, boundary: Int) {
        let skipped = -Int(bitPattern: base) & (boundary - 1)
        _ = unsafe madvise(base + skipped, (buffer.count - skipped) & -page, advice)
      }
      if buffer.count >= 2 * huge { advise(MADV_HUGEPAGE, boundary: huge) }
      advise(Self.populateWrite, boundary: page)
    #endif
  }

  #if canImport(Glibc)
    /// `MADV_POPULATE_WRITE` of Linux 5.14 and later, which the headers of older systems lack.
    private static let populateWrite: Int32 = 23
  #endif

  package func write(
    _ bytes: [UInt8], to file: OpenFile, at offset: Int
  ) throws(FileSystemError) {
    let done = try Self.wholly("pwrite", file, count: bytes.count) { start, count in
      unsafe bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe pwrite(file.descriptor, base + start, count, off_t(offset) + off_t(start))
      }
    }
    // A device that accepts no bytes without reporting a reason has failed.
    if done < bytes.count { throw FileSystemError(EIO, call: "pwrite", path: Self.name(of: file)) }
  }

  package func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try Self.call("ftruncate", Self.name(of: file)) { ftruncate(file.descriptor, off_t(size)) }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {
    #if canImport(Darwin)
      // Only this makes the device flush its own cache. If a file system doesn't support it,
      // `fsync` is the best alternative.
      do throws(FileSystemError) {
        try Self.call("fcntl(F_FULLFSYNC)", Self.name(of: file)) {
          fcntl(file.descriptor, F_FULLFSYNC)
        }
      } catch  where [ENOTSUP, EINVAL, ENOTTY].contains(error.number) {
        try Self.call("fsync", Self.name(of: file)) { fsync(file.descriptor) }
      }
    #else
      try Self.call("fdatasync", Self.name(of: file)) { fdatasync(file.descriptor) }
    #endif
  }

  package func syncDirectory(_ path: String) throws(FileSystemError) {
    let file = try openFile(path, .reading)
    do throws(FileSystemError) {
      try Self.call("fsync", path) { fsync(file.descriptor) }
    } catch {
      _ = close(file.descriptor)
      throw error
    }
    try closeFile(file)
  }

  package func status(at path: String) throws(FileSystemError) -> FileStatus? {
    var found = stat()
    do throws(FileSystemError) {
      try Self.call("stat", path) { unsafe stat(path, &found) }
    } catch  where error.isNotFound {
      return nil
    }
    return try FileStatus(found, of: path)
  }

  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    var found = stat()
    try Self.call("fstat", Self.name(of: file)) { unsafe fstat(file.descriptor, &found) }
    return try FileStatus(found, of: Self.name(of: file))
  }

  package func rename(_ old: String, to new: String) throws(FileSystemError) {
    try Self.call("rename", old) {
      unsafe FieldLibc.rename(old, new)
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try Self.call("unlink", path) { unsafe unlink(path) }
  }

  package func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError) {
    // Rounded down, so that dates before 1970 are correct, too.
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(
      tv_sec: time_t(rest < 0 ? seconds - 1 : seconds),
      tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
    let times = [time, time]
    try Self.call("utimensat", path) { unsafe utimensat(AT_FDCWD, path, times, 0) }
  }

  package func makeDirectory(_ path: String) throws(FileSystemError) {
    try Self.call("mkdir", path) { unsafe mkdir(path, 0o700) }
  }

  package func names(in path: String) throws(FileSystemError) -> [String] {
    guard let directory = unsafe opendir(path) else {
      throw FileSystemError(errno, call: "opendir", path: path)
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        if errno != 0 { throw FileSystemError(errno, call: "readdir", path: path) }
        return names
      }
      let name = unsafe dirent.name(of: entry)
      if name != "." && name != ".." { names.append(name) }
    }
  }

  package func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    do throws(FileSystemError) {
      try Self.call("flock", Self.name(of: file)) { flock(file.descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch  where error.number == EWOULDBLOCK {
      return false
    }
  }

  package func unlock(_ file: OpenFile) throws(FileSystemError) {
    try Self.call("flock", Self.name(of: file)) { flock(file.descriptor, LOCK_UN) }
  }

  package func canonical(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else {
      let parent = Self.parent(of: path)
      if parent == path { return path }
      let above = canonical(parent)
      return (above == "/" ? "" : above) + path[(path.lastIndex(of: "/") ?? path.startIndex)...]
    }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

extension PosixFileSystem {
  /// Makes a call, repeating it while signals interrupt it.
  @discardableResult
  private static func call(
    _ name: String, _ path: @autoclosure () -> String, _ body: () -> Int32
  ) throws(FileSystemError) -> Int32 {
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw FileSystemError(errno, call: name, path: path()) }
    }
  }

  /// Repeats a call that may be partial until it is complete or nothing more arrives, and returns
  /// the number of bytes.
  ///
  /// - Parameter body: Makes the call for the bytes from a place on; at most 2 GiB at a time, because
  ///   Apple platforms reject more (`EINVAL`).
  private static func wholly(
    _ name: String, _ file: OpenFile, count: Int, _ body: (_ start: Int, _ count: Int) -> Int
  ) throws(FileSystemError) -> Int {
    var done = 0
    while done < count {
      let part = body(done, min(count - done, Int(Int32.max)))
      if part == 0 { break }
      if part > 0 {
        done += part
      } else if errno != EINTR {
        throw FileSystemError(errno, call: name, path: Self.name(of: file))
      }
    }
    return done
  }

  private static func name(of file: OpenFile) -> String { "descriptor \(file.descriptor)" }
}

extension FileStatus {
  fileprivate init(
    _ found: stat, of path: @autoclosure () -> String
  ) throws(FileSystemError) {
    // The system calls of 32-bit platforms fail in the same way.
    guard let size = Int(exactly: found.st_size) else {
      throw FileSystemError(EOVERFLOW, call: "stat", path: path())
    }
    let time = found.modificationTime
    self.init(
      device: UInt64(truncatingIfNeeded: found.st_dev),
      inode: UInt64(truncatingIfNeeded: found.st_ino),
      size: size,
      modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
      isDirectory: found.st_mode & S_IFMT == S_IFDIR)
  }
}
