#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension JournalDirectory {
  private static var suffix: String { ".journal" }

  /// A journal that was there, as it was found.
  package struct Opened: Sendable {
    /// The journal, which belongs to the caller now.
    package var journal: Journal
    /// What its header says.
    package var header: JournalHeader
    /// All its bytes, and where in them the entries are.
    package var bytes: [UInt8]
    package var payloads: [Range<Int>]
    /// What was cut off, and is saved beside it; nil when all was in order.
    package var cut: OpeningReport.Cut?
  }

  /// What came of opening a journal.
  package enum Opening: Sendable {
    case opened(Opened)
    /// Its owner is alive, in this process or in another.
    case owned
    /// It is not there any more.
    case gone
    /// Nothing in it can be read; it is set aside whole.
    case setAside(OpeningReport.Cut)
  }

  /// The names of all journals, in order.
  package func names() throws -> [String] {
    do throws(FileSystemError) {
      guard try fileSystem.status(at: path) != nil else { return [] }
      return try fileSystem.names(in: path).filter { $0.hasSuffix(Self.suffix) }
        .map { String($0.dropLast(Self.suffix.count)) }.sorted()
    } catch {
      throw error.fieldError("the journals in \(path) cannot be listed")
    }
  }

  /// Makes a journal with its first entry; when this returns, it is on the device.
  package func make(
    _ name: String, _ header: JournalHeader, first entry: consuming [UInt8]
  ) throws -> Journal {
    try checkWritable()
    let name = try StorageName(name).rawValue
    let paths = paths(of: name)
    var bytes = header.bytes
    let start = bytes.count
    var entry = entry
    let chain = JournalScan.seal(&entry, after: JournalScan.seed(of: name))
    bytes += entry
    do throws(FileSystemError) {
      try fileSystem.makeDirectories(path)
      guard try fileSystem.status(at: paths.file) == nil else {
        throw FieldError(.conflict, "there is a journal \(paths.file) already")
      }
      let file = try begin(paths, bytes)
      return Journal(
        name: name, path: paths.file, file: file, start: start, end: bytes.count, chain: chain,
        fileSystem: fileSystem)
    } catch let error as FileSystemError {
      throw error.fieldError("the journal \(paths.file) cannot be made")
    }
  }

  /// The file in its place, written, synced and locked.
  private func begin(_ paths: StoreFilePaths, _ bytes: [UInt8]) throws(FileSystemError) -> OpenFile
  {
    try fileSystem.removeIfThere(paths.new)
    let file = try fileSystem.openFile(paths.new, .makingNew)
    do throws(FileSystemError) {
      // Locked before it has its name, so that nobody ever finds it without an owner.
      guard try fileSystem.tryLock(file) else { throw .taken(paths.new) }
      try fileSystem.write(bytes, to: file, at: 0)
      try fileSystem.sync(file)
      try fileSystem.rename(paths.new, to: paths.file)
      try fileSystem.syncDirectory(path)
      return file
    } catch {
      // The error that is under way matters more. A rename that failed may have been done.
      _ = try? fileSystem.removeIfThere(paths.new)
      _ = try? fileSystem.removeIfThere(paths.file)
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  /// Opens a journal whose owner is gone, and becomes its owner.
  ///
  /// What is not in order at its end is first saved beside it and then cut off.
  package func open(_ name: String, kind: String) throws -> Opening {
    try checkWritable()
    let paths = paths(of: try StorageName(name).rawValue)
    do throws(FileSystemError) {
      guard let file = try own(paths) else { return try absence(of: paths) }
      do {
        let bytes = try fileSystem.readAll(file)
        let opening = try open(name, paths, file, bytes, kind)
        if case .setAside = opening { _ = try? fileSystem.closeFile(file) }
        return opening
      } catch {
        _ = try? fileSystem.closeFile(file)
        throw error
      }
    } catch let error as FileSystemError {
      throw error.fieldError("the journal \(paths.file) cannot be opened")
    }
  }

  /// The bytes of a journal as they are now, whoever owns it; nil when it is not there.
  package func peek(_ name: String) throws -> (bytes: [UInt8], payloads: [Range<Int>])? {
    let paths = paths(of: try StorageName(name).rawValue)
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(paths.file, .reading)
      // Nothing was written, so closing has nothing to report.
      defer { _ = try? fileSystem.closeFile(file) }
      let bytes = try fileSystem.readAll(file)
      let (_, end) = try JournalHeader.read(bytes)
      return (bytes, JournalScan(bytes, from: end, seed: JournalScan.seed(of: name)).payloads)
    } catch let error as FileSystemError {
      if error.isNotFound { return nil }
      throw error.fieldError("the journal \(paths.file) cannot be read")
    }
  }

  /// The file with its lock; nil when it is another's, or not there.
  private func own(_ paths: StoreFilePaths) throws(FileSystemError) -> OpenFile? {
    let file: OpenFile
    do throws(FileSystemError) {
      file = try fileSystem.openFile(paths.file, .writing)
    } catch  where error.isNotFound {
      return nil
    }
    do throws(FileSystemError) {
      if try fileSystem.tryLock(file) {
        // Its last owner may have removed it in the meantime.
        let mine = try fileSystem.status(of: file)
        if let present = try fileSystem.status(at: paths.file), present.isSameFile(as: mine) {
          return file
        }
      }
      try fileSystem.closeFile(file)
      return nil
    } catch {
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  private func absence(of paths: StoreFilePaths) throws(FileSystemError) -> Opening {
    try fileSystem.status(at: paths.file) == nil ? .gone : .owned
  }

  private func open(
    _ name: String, _ paths: StoreFilePaths, _ file: OpenFile, _ bytes: [UInt8], _ kind: String
  ) throws -> Opening {
    let header: JournalHeader
    let start: Int
    do throws(FieldError) {
      (header, start) = try JournalHeader.read(bytes)
      guard header.kind == kind else {
        throw FieldError(.damaged, "the journal holds entries called \(header.kind), not \(kind)")
      }
    } catch  where error.code == .damaged {
      let tail = JournalScan.Tail(offset: 0, count: bytes.count, reason: error.message)
      let cut = try save(tail, of: bytes, paths)
      try fileSystem.removeIfThere(paths.file)
      try fileSystem.syncDirectory(path)
      return .setAside(cut)
    }
    let scan = JournalScan(bytes, from: start, seed: JournalScan.seed(of: name))
    var cut: OpeningReport.Cut?
    if let tail = scan.tail {
      cut = try save(tail, of: bytes, paths)
      try fileSystem.truncate(file, to: scan.end)
    }
    // The last owner may have died before it flushed what is read here.
    try fileSystem.sync(file)
    let journal = Journal(
      name: name, path: paths.file, file: file, start: start, end: scan.end, chain: scan.chain,
      fileSystem: fileSystem)
    return .opened(
      Opened(journal: journal, header: header, bytes: bytes, payloads: scan.payloads, cut: cut))
  }

  private func save(
    _ tail: JournalScan.Tail, of bytes: [UInt8], _ paths: StoreFilePaths
  ) throws(FileSystemError) -> OpeningReport.Cut {
    var cut = OpeningReport.Cut(
      file: URL(filePath: paths.file), offset: tail.offset, byteCount: tail.count,
      reason: tail.reason)
    if tail.count > 0 {
      let saved = try fileSystem.setAside(Array(bytes[tail.offset...]), beside: paths)
      cut.savedAs = URL(filePath: saved)
    }
    return cut
  }

  private func paths(of name: String) -> StoreFilePaths {
    StoreFilePaths("\(path)/\(name)\(Self.suffix)")
  }

  private func checkWritable() throws(FieldError) {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "the journals of \(path) were opened for reading only")
    }
  }
}
