public import FieldFoundation

/// A store file or a journal on the device, regardless of the type of its records.
///
/// ```swift
/// let file = StoreFile(folder.appending(path: "sightings.store"))
/// if try await !file.examine().isIntact { print(try await file.salvage()) }
/// ```
///
/// Files that it writes have the platform's default protection; ``FileStore/salvage()`` keeps the protection of the
/// store.
///
/// See <doc:When-a-file-is-damaged> for what opening a damaged store does, and for what can be recovered.
public struct StoreFile: Sendable {
  /// The largest file to read, in bytes.
  private static let largestFile = 1 << 29

  private let paths: StoreFilePaths
  private let fileSystem: any FileSystem

  /// Creates a description of a file, without reading it.
  public init(_ url: URL) {
    let fileSystem = PosixFileSystem()
    self.init(fileSystem.canonical(url.absoluteURL.path), fileSystem: fileSystem)
  }

  package init(_ path: String, fileSystem: any FileSystem) {
    paths = StoreFilePaths(path)
    self.fileSystem = fileSystem
  }

  /// The file.
  public var url: URL { URL(filePath: paths.file) }

  // MARK: Examining

  /// Reads the file, verifies every checksum, and lists the file's parts, without changing anything.
  ///
  /// The file and each part that was set aside may have up to 512 MiB.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/damaged`` if the file is neither a store nor a
  ///   journal, ``FieldError/Code/newerFormat``, ``FieldError/Code/notAFile``, or ``FieldError/Code/io``.
  @concurrent
  public func examine() async throws -> StoreFileReport {
    let bytes = try readBytes(of: paths.file)
    var report: StoreFileReport
    if paths.isJournal {
      let (header, found) = try readEntries(bytes)
      report = StoreFileReport(isJournal: true, name: header.kind.printable, byteCount: bytes.count)
      report.parts =
        found.payloads.map {
          StoreFileReport.Part(
            offset: $0.lowerBound - JournalScan.prefixSize,
            byteCount: $0.count + JournalScan.prefixSize)
        } + Self.damage(found.lost)
    } else {
      let (header, end, isDamaged) = try readHeader(of: bytes)
      let found = try FoundFrames(bytes, from: end, seed: header.seed)
      report = StoreFileReport(
        isJournal: false, name: header.recordName.printable, byteCount: bytes.count,
        isHeaderDamaged: isDamaged)
      report.parts =
        found.frames.map {
          StoreFileReport.Part(
            offset: $0.start, byteCount: $0.end - $0.start, revision: $0.revision,
            recordCount: try? FrameOutline(bytes, $0).recordCount)
        } + Self.damage(found.lost)
    }
    report.parts.sort { $0.offset < $1.offset }
    let beside = try filesBeside()
    report.setAside = beside.setAside.map { URL(filePath: $0) }
    report.salvaged = beside.salvaged.map { URL(filePath: $0) }
    return report
  }

  /// Returns the file's content as JSON, one object per line, including what follows damage.
  ///
  /// The batches of a store are written step by step: `{"revision":3,"put":{…}}`, `{"revision":3,"remove":[…]}`,
  /// `{"revision":4,"removeAll":true}`, and `{"revision":4,"checkpoint":{…}}`. Records whose type has its
  /// own coding, and the entries of a journal, are written as Base64, for example `{"revision":3,"putBase64":"…"}`.
  ///
  /// - Throws: ``FieldError`` with the codes of ``examine()``.
  @concurrent
  public func jsonLines() async throws -> [String] {
    let bytes = try readBytes(of: paths.file)
    if paths.isJournal {
      return try readEntries(bytes).found.payloads.enumerated().map { number, payload in
        #"{"entry":\#(number),"base64":"\#(Data(bytes[payload]).base64EncodedString())"}"#
      }
    }
    let (header, end, _) = try readHeader(of: bytes)
    let found = try FoundFrames(bytes, from: end, seed: header.seed)
    return try found.frames.flatMap { frame in try FrameOutline.jsonLines(of: frame, in: bytes) }
  }

  // MARK: Salvaging

  /// Restores the readable batches that follow damage or that openings have set aside.
  ///
  /// The damaged originals are kept next to the file, under names that end in `.salvaged-` and a number. So are
  /// parts without a readable batch, such as the torn end of a commit that never returned. If nothing is
  /// damaged or set aside, nothing changes. Processes that have the store open see the result as a
  /// commit.
  ///
  /// - Throws: ``FieldError`` with the codes of ``examine()``, ``FieldError/Code/busy``,
  ///   ``FieldError/Code/diskFull``, or ``FieldError/Code/readOnly``. The file is then unchanged, or
  ///   salvaged beside an original whose new name couldn't be made durable. The code is
  ///   ``FieldError/Code/invalidInput`` if the file is a journal.
  @concurrent
  @discardableResult
  public func salvage() async throws -> SalvageReport {
    try refuseJournal()
    // Before the lock, which would otherwise be created next to a file that doesn't exist.
    try checkPresence()
    let lock = FileLock(
      paths.lock, fileSystem: fileSystem, clock: .system, patience: .seconds(30))
    return try await lock.hold { try salvageLocked(expecting: nil) }
  }

  /// Writes the readable batches of the file, and of the parts that were set aside, to a new store file.
  ///
  /// The original doesn't change. If it can't be opened, read its records from the copy.
  ///
  /// - Parameter copy: The URL of the new file.
  /// - Returns: A report of what was found.
  /// - Throws: ``FieldError`` with the codes of ``salvage()``; ``FieldError/Code/io`` if the new file already
  ///   exists.
  @concurrent
  @discardableResult
  public func salvage(to copy: URL) async throws -> SalvageReport {
    let salvage = try history()
    let (bytes, isReset) = try salvage.history.bytes(header: salvage.header)
    let path = copy.absoluteURL.path
    try FileSystemError.explained("The copy \(path) can't be written.") {
      try write(bytes, to: path)
      try fileSystem.syncDirectory(PosixFileSystem.parent(of: path))
    }
    return salvage.report(isCheckpointReset: isReset)
  }

  /// Salvages the file while the caller holds its lock.
  ///
  /// - Parameter name: The name that the records must have; `nil` allows any.
  func salvageLocked(expecting name: String?) throws -> SalvageReport {
    let salvage = try history()
    let found = salvage.header.recordName
    guard name == nil || name == found else {
      throw FieldError(.invalidInput, "The store file contains records named \(found).")
    }
    let replacement = try salvage.isNeeded ? salvage.history.bytes(header: salvage.header) : nil
    var report = salvage.report(isCheckpointReset: replacement?.isCheckpointReset ?? false)
    try FileSystemError.explained("The salvaged store \(paths.file) can't be written.") {
      report.originals = try replace(salvage, by: replacement?.bytes).map { URL(filePath: $0) }
    }
    return report
  }

  /// Puts the salvaged bytes, if any, in the file's place, and returns the damaged originals.
  private func replace(
    _ salvage: Salvage, by bytes: [UInt8]?
  ) throws(FileSystemError) -> [String] {
    var parts = salvage.parts + salvage.unreadableParts
    if let bytes {
      try fileSystem.removeIfThere(paths.new)
      try write(bytes, to: paths.new)
      if salvage.isFileDamaged { parts.insert(try copyOfFile(), at: 0) }
      try fileSystem.rename(paths.new, to: paths.file)
      try fileSystem.syncDirectory(paths.directory)
    }
    // Their batches are in the store.
    let originals = try parts.map { part throws(FileSystemError) in
      try fileSystem.rename(part, toUnused: paths.salvaged)
    }
    if !parts.isEmpty { try fileSystem.syncDirectory(paths.directory) }
    return originals
  }

  /// Saves a complete copy of the damaged file next to it.
  private func copyOfFile() throws(FileSystemError) -> String {
    let file = try fileSystem.openFile(paths.file, .reading)
    defer { _ = try? fileSystem.closeFile(file) }
    return try fileSystem.setAside(file, from: 0, beside: paths)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    let file = try fileSystem.makeFile(path) { file throws(FileSystemError) in
      try fileSystem.write(bytes, to: file, at: 0)
      try fileSystem.sync(file)
    }
    _ = try? fileSystem.closeFile(file)
  }

  // MARK: Reading

  private struct Salvage {
    var header: StoreFileHeader
    var history = SalvagedHistory()
    /// Whether the file itself is damaged.
    var isFileDamaged: Bool
    /// The parts that were set aside and have batches.
    var parts: [String] = []
    /// The parts that were set aside and have no whole batch, so that there is nothing to restore.
    var unreadableParts: [String] = []
    var losses: [SalvageReport.Loss] = []

    var isNeeded: Bool { isFileDamaged || !parts.isEmpty }

    func report(isCheckpointReset: Bool) -> SalvageReport {
      SalvageReport(
        batchCount: history.batchCount, salvagedBatchCount: history.salvagedCount,
        salvagedRecordCount: history.salvagedRecordCount, losses: losses,
        isCheckpointReset: isCheckpointReset)
    }

    mutating func noteLosses(_ lost: [Range<Int>], in path: String) {
      losses += lost.map {
        SalvageReport.Loss(file: URL(filePath: path), offset: $0.lowerBound, byteCount: $0.count)
      }
    }
  }

  private func checkPresence() throws {
    try FileSystemError.explained("\(paths.file) can't be read.") {
      try fileSystem.closeFile(try fileSystem.openFile(paths.file, .reading))
    }
  }

  private func refuseJournal() throws {
    guard paths.isJournal else { return }
    throw FieldError(
      .invalidInput,
      "\(paths.file) is a journal, which can't be salvaged. Export it, or have its owner "
        + "recover it.")
  }

  private func history() throws -> Salvage {
    try refuseJournal()
    let bytes = try readBytes(of: paths.file)
    let (header, end, isDamaged) = try readHeader(of: bytes)
    let found = try FoundFrames(bytes, from: end, seed: header.seed)
    var salvage = Salvage(header: header, isFileDamaged: isDamaged || !found.lost.isEmpty)
    salvage.history.add(found, of: bytes)
    salvage.noteLosses(found.lost, in: paths.file)
    for path in try filesBeside().setAside { try add(path, to: &salvage) }
    return salvage
  }

  private func add(_ path: String, to salvage: inout Salvage) throws {
    let bytes = try readBytes(of: path)
    var start = 0
    var seed = salvage.header.seed
    if let found = try? readHeader(of: bytes) {
      guard found.header.recordName == salvage.header.recordName else { return }
      start = found.end
      seed = found.header.seed
    }
    // A copy of a batch that the store has isn't restored again, after those that followed it.
    let found = try FoundFrames(
      bytes, from: start, seed: seed, besides: start == 0 ? salvage.history.stored : [:])
    salvage.noteLosses(found.lost, in: path)
    guard !found.frames.isEmpty else { return salvage.unreadableParts.append(path) }
    salvage.parts.append(path)
    let first = start == 0 ? Self.firstRevisions(bytes, found, seed) : nil
    salvage.history.add(found, of: bytes, from: first)
  }

  /// Returns the revisions that the batch at the start of a part may have had, if its header or its position
  /// reveals them.
  ///
  /// - Returns: `nil` also if the part starts with a base, which nothing in the store preceded, or with an
  ///   intact batch, which was cut off because it didn't follow the one before.
  private static func firstRevisions(
    _ bytes: [UInt8], _ found: FoundFrames, _ seed: UInt32
  ) -> ClosedRange<UInt64>? {
    guard bytes.count >= Frame.headerSize else { return nil }
    if let frame = try? Frame.readHeader(bytes, at: 0, base: 0, seed: seed) {
      if frame == found.strays.first { return revisions(afterStraysOf: found) }
      let number = frame.revision.number
      return frame.kind == .batch && frame != found.frames.first ? number...number : nil
    }
    guard bytes[4] == Frame.Kind.batch.rawValue, let lost = found.lost.first,
      let next = found.frames.first?.revision.number, next > 0
    else {
      return nil
    }
    // Either number in a damaged header shows that no other frame is lost before the next intact one.
    let revision: UInt64 = bytes.fixed(at: 16)
    let length: UInt64 = bytes.fixed(at: 24)
    let isOnlyOne =
      revision == next - 1 || Int(clamping: length) == lost.count - Frame.headerSize
    return isOnlyOne ? (next - 1)...(next - 1) : nil
  }

  /// Returns the revisions that the first batch of a part may have had if the part starts with intact frames
  /// from somewhere else.
  ///
  /// If no bytes are lost after them, each of them either was inserted or replaced a batch of its length.
  private static func revisions(afterStraysOf found: FoundFrames) -> ClosedRange<UInt64>? {
    guard let first = found.frames.first, first.kind == .batch else { return nil }
    var end = 0
    var count: UInt64 = 0
    for stray in found.strays where stray.start == end {
      end = stray.end
      count += 1
    }
    guard first.start == end else { return nil }
    let number = first.revision.number
    return (number > count ? number - count : min(number, 1))...number
  }

  private func readBytes(of path: String) throws -> [UInt8] {
    try FileSystemError.explained("\(path) can't be read.") {
      let file = try fileSystem.openFile(path, .reading)
      // Nothing was written, so closing has nothing to report.
      defer { _ = try? fileSystem.closeFile(file) }
      let size = try fileSystem.status(of: file).size
      guard size <= Self.largestFile else {
        throw FieldError(.io, "\(path) is larger than \(Self.largestFile) bytes.")
      }
      return try fileSystem.read(file, at: 0, count: size)
    }
  }

  private func readHeader(
    of bytes: [UInt8]
  ) throws -> (header: StoreFileHeader, end: Int, isDamaged: Bool) {
    let damage: FieldError
    do throws(FieldError) {
      guard case .header(let header, let end) = try StoreFileHeader.read(bytes) else {
        throw FieldError(.damaged, "\(paths.file) ends within its header.")
      }
      return (header, end, false)
    } catch {
      damage = error
    }
    guard damage.code == .damaged, let repaired = StoreFileHeader.repaired(bytes) else {
      throw damage
    }
    return (repaired.header, repaired.end, true)
  }

  private func readEntries(
    _ bytes: [UInt8]
  ) throws -> (header: JournalHeader, found: FoundEntries) {
    if let name = paths.journalName {
      let found = try JournalHeader.reading(bytes).get()
      let entries = FoundEntries(bytes, from: found.end, chain: JournalScan.seed(of: name))
      return (found.header, entries)
    }
    // A part of a journal that was set aside begins with an entry.
    if case .success(let found) = JournalHeader.reading(bytes) {
      return (found.header, FoundEntries(bytes, from: found.end, chain: nil))
    }
    let header = JournalHeader(kind: "entry", kindVersion: 0)
    return (header, FoundEntries(bytes, from: 0, chain: nil))
  }

  private static func damage(_ ranges: [Range<Int>]) -> [StoreFileReport.Part] {
    ranges.map { .init(offset: $0.lowerBound, byteCount: $0.count, isDamaged: true) }
  }

  private func filesBeside() throws -> (setAside: [String], salvaged: [String]) {
    try FileSystemError.explained("The files next to \(paths.file) can't be listed.") {
      try fileSystem.partsOfDamage(beside: paths)
    }
  }
}
