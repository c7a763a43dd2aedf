internal import FieldFoundation

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
