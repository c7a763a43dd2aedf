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

// MARK: - Making

extension JournalDirectory {
  /// Creates a journal with its first entry; when the method returns, the journal is on the device.
  package func make(
    _ name: String, _ header: JournalHeader, first entry: [UInt8]
  ) throws -> Journal {
    try checkWritable()
    let name = try StorageName(name).rawValue
    let paths = paths(of: name)
    let start = header.bytes.count
    var sealed = entry
    let chain = JournalScan.seal(&sealed, after: JournalScan.seed(of: name))
    let bytes = header.bytes + sealed
    return try FileSystemError.explained("The journal \(paths.file) can't be created.") {
      try fileSystem.makeDirectories(path)
      try fileSystem.syncName(ofDirectory: path)
      guard try fileSystem.status(at: paths.file) == nil else {
        throw FieldError(.conflict, "The journal \(paths.file) already exists.")
      }
      let file = try begin(paths, bytes, attempts: 3)
      return Journal(
        name: name, path: paths.file, file: file, start: start, end: bytes.count, chain: chain,
        fileSystem: fileSystem)
    }
  }

  /// Creates the file, trying again if another process removed it as a leftover at that moment.
  private func begin(
    _ paths: StoreFilePaths, _ bytes: [UInt8], attempts: Int
  ) throws(FileSystemError) -> OpenFile {
    do throws(FileSystemError) {
      return try begin(paths, bytes)
    } catch  where attempts > 1 && (error.isNotFound || error.isTaken) {
      return try begin(paths, bytes, attempts: attempts - 1)
    }
  }

  /// Creates the file: written, synced, and locked.
  private func begin(_ paths: StoreFilePaths, _ bytes: [UInt8]) throws(FileSystemError) -> OpenFile
  {
    try fileSystem.removeIfThere(paths.new)
    let file = try fileSystem.openFile(paths.new, .makingNew)
    do throws(FileSystemError) {
      // Locked before it gets its name, so that nobody can find it without an owner.
      guard try fileSystem.tryLock(file) else { throw .taken(paths.new) }
      try fileSystem.write(bytes, to: file, at: 0)
      try fileSystem.sync(file)
      try fileSystem.rename(paths.new, to: paths.file)
      try fileSystem.syncDirectory(path)
      return file
    } catch {
      // The original error matters more. A rename that failed may have taken effect.
      _ = try? fileSystem.removeIfThere(paths.new)
      _ = try? fileSystem.removeIfThere(paths.file)
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  /// Removes the files of journals whose creation was interrupted.
  package func removeLeftovers() throws {
    try FileSystemError.explained("The leftovers in \(path) can't be removed.") {
      guard try fileSystem.status(at: path) != nil else { return }
      for name in try fileSystem.names(in: path) where name.hasSuffix(Self.suffix + ".new") {
        // A process that is creating a journal holds its lock.
        _ = try erase("\(path)/\(name)")
      }
    }
  }

  /// Removes all journals without an owner, whatever they contain, and damaged ones that were set
  /// aside.
  ///
  /// - Returns: The names of the journals that have an owner, which stay.
  package func eraseAll() throws -> [String] {
    try checkWritable()
    try removeLeftovers()
    return try FileSystemError.explained("The journals in \(path) can't be removed.") {
      guard try fileSystem.status(at: path) != nil else { return [] }
      var owned: [String] = []
      for file in try fileSystem.names(in: path).sorted() {
        if file.hasSuffix(Self.suffix) {
          if try !erase("\(path)/\(file)") {
            owned.append(String(file.dropLast(Self.suffix.count)))
          }
        } else if file.contains(bytesOf: Self.setAsideMark) || file.hasSuffix(".saving") {
          try fileSystem.removeIfThere("\(path)/\(file)")
        }
      }
      try fileSystem.syncDirectory(path)
      return owned
    }
  }

  /// Removes a journal or a leftover of one; returns `false` if it has an owner.
  private func erase(_ path: String) throws(FileSystemError) -> Bool {
    guard let file = try fileSystem.openIfThere(path, .writing) else { return true }
    defer { _ = try? fileSystem.closeFile(file) }
    guard try fileSystem.tryLock(file) else { return false }
    // Its last owner may have removed it in the meantime, and another may exist under that name.
    let mine = try fileSystem.status(of: file)
    if try fileSystem.status(at: path)?.isSameFile(as: mine) == true {
      try fileSystem.removeIfThere(path)
    }
    return true
  }
}

// MARK: - Opening

extension JournalDirectory {
  static var suffix: String { ".journal" }

  /// An existing journal that was opened.
  package struct Opened: Sendable {
    /// The journal, which the caller now owns.
    package var journal: Journal
    package var header: JournalHeader
    /// All bytes of the journal, and the ranges of its payloads.
    package var bytes: [UInt8]
    package var payloads: [Range<Int>]
    /// The damaged end that was cut off and saved next to the journal, or `nil` if there was none.
    package var cut: OpeningReport.Cut?
  }

  package enum Opening: Sendable {
    case opened(Opened)
    /// The journal has an owner, in this process or in another.
    case owned
    /// The journal no longer exists.
    case gone
    /// The journal is unreadable; all of it was set aside.
    case setAside(OpeningReport.Cut)
  }

  /// Returns the names of all journals, in order.
  package func names() throws -> [String] {
    try FileSystemError.explained("The journals in \(path) can't be listed.") {
      guard try fileSystem.status(at: path) != nil else { return [] }
      return try fileSystem.names(in: path).filter { $0.hasSuffix(Self.suffix) }
        .map { String($0.dropLast(Self.suffix.count)) }.sorted()
    }
  }

  /// Opens a journal without an owner, and takes ownership of it.
  ///
  /// A damaged end is first saved next to the journal and then cut off. The entries are synced to
  /// the device; if that fails, the journal is dirty.
  package func open(_ name: String, kind: String) throws -> Opening {
    try checkWritable()
    let paths = paths(of: try StorageName(name).rawValue)
    return try FileSystemError.explained("The journal \(paths.file) can't be opened.") {
      guard let file = try own(paths) else { return try absence(of: paths) }
      do {
        return try open(name, paths, file, kind)
      } catch {
        _ = try? fileSystem.closeFile(file)
        throw error
      }
    }
  }

  /// Returns the current bytes of a journal, whether it has an owner or not, or `nil` if it doesn't
  /// exist.
  package func peek(_ name: String) throws -> (bytes: [UInt8], payloads: [Range<Int>])? {
    let file = paths(of: try StorageName(name).rawValue).file
    return try FileSystemError.explained("The journal \(file) can't be read.") {
      guard let open = try fileSystem.openIfThere(file, .reading) else { return nil }
      // Nothing was written, so closing has nothing to report.
      defer { _ = try? fileSystem.closeFile(open) }
      let bytes = try entries(in: open, of: name)
      let end = try JournalHeader.reading(bytes).get().end
      return (bytes, JournalScan(bytes, from: end, seed: JournalScan.seed(of: name)).payloads)
    }
  }

  /// Returns the bytes of a journal as far as they may be entries.
  ///
  /// A large file is read in parts, so that a hole in a sparse one takes no memory.
  private func entries(in file: OpenFile, of name: String) throws(FileSystemError) -> [UInt8] {
    let size = try fileSystem.status(of: file).size
    var limit = 1 << 24
    while true {
      let bytes = try fileSystem.read(file, at: 0, count: min(size, limit))
      guard limit < size, case .success(let found) = JournalHeader.reading(bytes),
        JournalScan(bytes, from: found.end, seed: JournalScan.seed(of: name))
          .goesOn(after: bytes)
      else { return bytes }
      limit *= 2
    }
  }

  /// Returns the locked file, or `nil` if it has another owner or doesn't exist.
  private func own(_ paths: StoreFilePaths) throws(FileSystemError) -> OpenFile? {
    guard let file = try fileSystem.openIfThere(paths.file, .writing) else { return nil }
    do throws(FileSystemError) {
      if try isMine(file, paths.file) { return file }
    } catch {
      _ = try? fileSystem.closeFile(file)
      throw error
    }
    try fileSystem.closeFile(file)
    return nil
  }

  /// Takes the lock; returns `false` if another process has it or its last owner removed the file.
  private func isMine(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    guard try fileSystem.tryLock(file) else { return false }
    let mine = try fileSystem.status(of: file)
    return try fileSystem.status(at: path)?.isSameFile(as: mine) == true
  }

  private func absence(of paths: StoreFilePaths) throws(FileSystemError) -> Opening {
    try fileSystem.status(at: paths.file) == nil ? .gone : .owned
  }

  private func open(
    _ name: String, _ paths: StoreFilePaths, _ file: OpenFile, _ kind: String
  ) throws -> Opening {
    let bytes = try entries(in: file, of: name)
    let size = try fileSystem.status(of: file).size
    let (header, start): (JournalHeader, Int)
    switch JournalHeader.reading(bytes) {
    case .failure(let error) where error.code != .damaged: throw error
    case .failure(let error): return try setAside(file, size, error.message.withoutPeriod, paths)
    case .success(let found) where found.header.kind != kind:
      let reason = "the journal contains entries named \(found.header.kind), not \(kind)"
      return try setAside(file, size, reason, paths)
    case .success(let found): (header, start) = (found.header, found.end)
    }
    let scan = JournalScan(bytes, from: start, seed: JournalScan.seed(of: name))
    var cut: OpeningReport.Cut?
    if scan.end < size {
      let tail = JournalScan.Tail(
        offset: scan.end, count: size - scan.end,
        reason: scan.tail?.reason ?? "an entry is too long")
      cut = try save(tail, of: file, paths)
      try fileSystem.truncate(file, to: scan.end)
    }
    // The last owner may have died before flushing these bytes, or after a failed sync. No later
    // sync restores what the system dropped then, so everything is written again.
    let journal = Journal(
      name: name, path: paths.file, file: file, start: start, end: scan.end, chain: scan.chain,
      doubtful: Array(bytes[start..<scan.end]), fileSystem: fileSystem)
    // Even if the device is full or fails, the bytes were read; the next flush tries again and
    // reports it.
    _ = try? journal.flush()
    return .opened(
      Opened(journal: journal, header: header, bytes: bytes, payloads: scan.payloads, cut: cut))
  }

  /// Saves an unreadable journal under another name, and removes the original.
  private func setAside(
    _ file: OpenFile, _ size: Int, _ reason: String, _ paths: StoreFilePaths
  ) throws(FileSystemError) -> Opening {
    let tail = JournalScan.Tail(offset: 0, count: size, reason: reason)
    let cut = try save(tail, of: file, paths)
    try fileSystem.removeIfThere(paths.file)
    try fileSystem.syncDirectory(path)
    // Nothing was written to it, so closing has nothing to report.
    _ = try? fileSystem.closeFile(file)
    return .setAside(cut)
  }

  private func save(
    _ tail: JournalScan.Tail, of file: OpenFile, _ paths: StoreFilePaths
  ) throws(FileSystemError) -> OpeningReport.Cut {
    var cut = OpeningReport.Cut(
      file: URL(filePath: paths.file), offset: tail.offset, byteCount: tail.count,
      reason: tail.reason)
    if tail.count > 0 {
      let saved = try fileSystem.setAside(file, from: tail.offset, beside: paths)
      cut.savedAs = URL(filePath: saved)
    }
    return cut
  }

  func paths(of name: String) -> StoreFilePaths {
    StoreFilePaths("\(path)/\(name)\(Self.suffix)")
  }

  func checkWritable() throws(FieldError) {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "The journals in \(path) were opened read-only.")
    }
  }
}

// MARK: - Setting aside

extension JournalDirectory {
  /// Returns a Boolean value that indicates whether parts of damaged journals were set aside here.
  package func hasSetAside() throws -> Bool {
    try FileSystemError.explained("The journals in \(path) can't be listed.") {
      try files().contains { $0.contains(bytesOf: Self.setAsideMark) }
    }
  }

  /// Returns the blobs whose IDs occur anywhere in the journals and in parts that were set aside.
  ///
  /// A quarter of an ID suffices, because the rest of it may be damaged.
  package func mentioned(among ids: Set<BlobID>) throws -> Set<BlobID> {
    guard !ids.isEmpty else { return [] }
    return try FileSystemError.explained("The journals in \(path) can't be read.") {
      var found: Set<BlobID> = []
      for file in try files() {
        guard let open = try fileSystem.openIfThere("\(path)/\(file)", .reading) else { continue }
        // Nothing was written, so closing can't lose data.
        defer { _ = try? fileSystem.closeFile(open) }
        try search(open, for: ids, &found)
      }
      return found
    }
  }

  /// Searches a file in parts, so that a hole in a sparse one takes no memory.
  private func search(
    _ file: OpenFile, for ids: Set<BlobID>, _ found: inout Set<BlobID>
  ) throws(FileSystemError) {
    var (place, last) = (0, [UInt8]())
    while true {
      let part = try fileSystem.read(file, at: place, count: 1 << 20)
      if part.isEmpty { return }
      place += part.count
      let bytes = part.isZero ? [] : last + part
      found.formUnion(ids.filter { Self.mentions($0, bytes) })
      last = Array(bytes.suffix(Self.quarter - 1))
    }
  }

  static var setAsideMark: String { suffix + ".damaged-" }

  private func files() throws(FileSystemError) -> [String] {
    guard try fileSystem.status(at: path) != nil else { return [] }
    return try fileSystem.names(in: path).filter { $0.contains(bytesOf: Self.suffix) }
  }

  private static var quarter: Int { 16 }

  private static func mentions(_ id: BlobID, _ bytes: [UInt8]) -> Bool {
    let digits = id.hexadecimal
    return stride(from: 0, to: digits.utf8.count, by: quarter).contains { start in
      bytes.contains(String(digits.dropFirst(start).prefix(quarter)))
    }
  }
}
