internal import FieldFoundation

extension FileStoreCore {
  /// Opens the file unless it is open, once for all concurrent callers.
  package func openIfNeeded() async throws {
    if state.withLock({ $0.disk != nil }) { return }
    _ = try await asyncLock.withLock { try await self.openOnDisk(again: false) }
  }

  /// Opens the file, again if commits are rejected.
  package func open() async throws -> OpeningReport {
    try await asyncLock.withLock {
      var report = try await self.openOnDisk(again: true)
      try self.noteSetAside(in: &report)
      self.state.withLock { [report] in $0.report = report }
      return report
    }
  }

  @concurrent
  private func openOnDisk(again: Bool) async throws -> OpeningReport {
    if let disk, let report {
      guard again else { return report }
      if disk.refusal == nil, hub.current.failure == nil,
        state.withLock({ $0.readingReason == nil })
      {
        try refuseIfGone()
        return report
      }
    }
    return try await events.span(.storeOpen).run(\.measures) { try await openFile() }
  }

  private func openFile() async throws -> OpeningReport {
    guard access == .readWrite else { return try load(isLocked: false) }
    do {
      return try await openForWriting()
    } catch let error as FieldError where error.leavesReading {
      state.withLock { $0.readingReason = error }
      return try load(isLocked: false)
    }
  }

  private func openForWriting() async throws -> OpeningReport {
    try FileSystemError.explained("The directory of the store \(paths.file) can't be created.") {
      try fileSystem.makeDirectories(paths.directory)
    }
    return try await processLock.hold {
      self.takeOverDoubts()
      return try self.load(isLocked: true)
    }
  }

  /// Tries again to open for writing a file that was opened for reading alone, or to which a commit
  /// failed because the device was locked.
  @concurrent
  func reopenIfOnlyRead() async throws {
    guard disk?.refusal?.isOfLockedDevice == true || state.withLock({ $0.readingReason != nil })
    else { return }
    _ = try await openOnDisk(again: true)
    if let reason = state.withLock({ $0.readingReason }) { throw reason }
  }

  /// Rejects commits until the next opening if the file or its directory was removed or moved.
  func refuseIfGone() throws {
    guard access == .readWrite, var disk, disk.file != nil else { return }
    if let refusal = disk.refusal { throw refusal }
    if try presentStatus() != nil { return }
    let refusal = FieldError(
      .needsReopening,
      "The store file \(paths.file) no longer exists. Open the store again to start over.")
    disk.refusal = refusal
    self.disk = disk
    throw refusal
  }

  /// Reads the whole file and makes it the content.
  ///
  /// Everything is read and checked before anything changes. Only a caller that holds the
  /// interprocess lock may create the file, cut off its damaged end, or remove leftovers.
  ///
  /// - Parameter isAgain: Whether the file existed a moment ago. If it is gone, nothing changes, and the
  ///   error's underlying one is that of opening it.
  @discardableResult
  func load(isLocked: Bool, isAgain: Bool = false) throws -> OpeningReport {
    do {
      var loaded = try read(isLocked: isLocked, isAgain: isAgain)
      let before = hub.current.content.generation
      loaded.replay.content.generation = before + 1
      let old = disk
      // Only an opening, which takes the lock, ends the refusal.
      if isAgain, !isLocked { loaded.disk.refusal = old?.refusal }
      let report = OpeningReport(
        revision: loaded.replay.revision, recordCount: loaded.replay.content.count,
        byteCount: loaded.disk.end, cuts: loaded.cuts, removedLeftovers: loaded.leftovers)
      // First, because with the known state of the file, others take the content to be current.
      hub.publish(loaded.replay.snapshot.marked(mark(of: loaded.disk)))
      state.withLock { state in
        state.disk = loaded.disk
        state.report = report
        if isLocked { state.readingReason = nil }
      }
      // Nothing in the old file is needed any longer.
      if let file = old?.file { _ = try? fileSystem.closeFile(file) }
      if loaded.proofs.isProving { keep(&loaded.proofs, of: loaded.disk) }
      return report
    } catch let error as FileSystemError {
      throw error.fieldError("The store \(paths.file) can't be opened.")
    } catch var error as FieldError {
      error.message = "\(paths.file): \(error.message)"
      if error.isUnreadableStore {
        error.message +=
          " Restore the file from a backup, or erase the store to set the file aside and start over."
      }
      throw error
    }
  }

  private struct Loaded {
    var disk: StoreDisk<Record>
    var replay: StoreDisk<Record>.Replay
    var proofs = FrameProofs.none
    var cuts: [OpeningReport.Cut] = []
    var leftovers: [URL] = []
  }

  private func read(isLocked: Bool, isAgain: Bool) throws -> Loaded {
    guard let file = try openIfThere(isLocked: isLocked, isAgain: isAgain) else {
      return try isLocked ? make(cuts: []) : absent()
    }
    do {
      let status = try fileSystem.status(of: file)
      guard !status.isDirectory else {
        throw FieldError(.damaged, "The store file is a directory.")
      }
      var start = try fileSystem.read(file, at: 0, count: min(status.size, Self.usualHeader))
      var reading = try StoreFileHeader.read(start)
      if reading == .tooShort, start.count < status.size {
        start = try fileSystem.read(file, at: 0, count: min(status.size, Self.longestHeader))
        reading = try StoreFileHeader.read(start)
      }
      guard case .header(let header, let end) = reading else {
        let loaded = try isLocked ? setAsideAll(start) : absent(cutting: start, status)
        // Nothing was written to it, so closing has nothing to report.
        _ = try? fileSystem.closeFile(file)
        return loaded
      }
      guard header.recordName == Record.storedName else {
        throw FieldError(
          .invalidInput,
          "The store file contains records named \(header.recordName), not \(Record.storedName). If "
            + "another kit uses this name, give each its own; if the type was renamed, keep its old "
            + "name as storedName.")
      }
      var disk = StoreDisk<Record>(
        file: file, status: status, header: header, end: end, baseEnd: end)
      // While others wait for a commit, no time is spent on proofs.
      var proofs = proofs(of: header, isProving: isLocked && !isAgain)
      let replay =
        try replayDistantly(&disk, start, status, &proofs)
        ?? disk.replay(
          frames(in: file, from: end, size: status.size, seed: header.seed), from: 0, base: end,
          size: status.size, onto: nil, proofs: &proofs, source: makeSource())
      var loaded = Loaded(disk: disk, replay: replay, proofs: proofs)
      if let tail = replay.scan.tail {
        loaded.cuts = [try cut(tail, disk: &loaded.disk, isLocked: isLocked)]
      }
      if isLocked { loaded.leftovers = try removeLeftovers() }
      return loaded
    } catch {
      // The original error matters more than one of closing.
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  /// Reads the file with the records of a large first frame left in it, or returns `nil` and changes nothing.
  ///
  /// - Parameter start: The start of the file.
  private func replayDistantly(
    _ disk: inout StoreDisk<Record>, _ start: [UInt8], _ status: FileStatus,
    _ proofs: inout FrameProofs
  ) -> StoreDisk<Record>.Replay? {
    let (base, seed) = (disk.end, disk.header.seed)
    guard let file = disk.file, start.count - base >= Frame.headerSize,
      let frame = try? Frame.readHeader(start, at: base, base: 0, seed: seed),
      frame.payload.count >= distantSize, frame.isIndexed, frame.end <= status.size,
      frame.recordVersion == FrameCoding<Record>.recordVersion, !proofs.isDoubted,
      // What may not be on the device is kept, to be written anew.
      !state.withLock({ $0.isDoubtful }), proofs.contains(frame)
    else { return nil }
    let source = makeSource()
    var (known, after) = (proofs, disk)
    // If anything is wrong, reading everything finds out what.
    guard
      let distant = try? DistantFrame(
        frame, at: paths.file, status, seed: seed, fileSystem: fileSystem, source: source),
      let rest = try? frames(in: file, from: frame.end, size: status.size, seed: seed),
      let replay = try? after.replay(
        rest, from: 0, base: frame.end, size: status.size, onto: nil, distant: distant,
        proofs: &known, source: source)
    else { return nil }
    (disk, proofs) = (after, known)
    return replay
  }

  /// The size of the longest header that this version writes, rounded up.
  private static var usualHeader: Int { 1 << 11 }
  private static var longestHeader: Int { 1 << 16 }

  private func openIfThere(
    isLocked: Bool, isAgain: Bool
  ) throws(FileSystemError) -> OpenFile? {
    let isWritten =
      access == .readWrite && (isLocked || state.withLock { $0.readingReason == nil })
    let mode = isWritten ? OpenMode.writing : .reading
    return try isAgain
      ? fileSystem.openFile(paths.file, mode) : fileSystem.openIfThere(paths.file, mode)
  }

  /// Returns the content of a nonexistent file, for a reader.
  private func absent(cutting bytes: [UInt8] = [], _ status: FileStatus? = nil) throws -> Loaded {
    let header = StoreFileHeader(recordName: Record.storedName)
    var disk = StoreDisk<Record>(status: status, header: header, end: 0, baseEnd: 0)
    var proofs = FrameProofs.none
    let replay = try disk.replay([], from: 0, base: 0, size: 0, onto: nil, proofs: &proofs)
    let cuts = status == nil ? [] : [shortHeader(bytes, savedAs: nil)]
    return Loaded(disk: disk, replay: replay, cuts: cuts)
  }

  /// Saves a file that ends within its header under another name, and starts an empty store.
  private func setAsideAll(_ bytes: [UInt8]) throws -> Loaded {
    let saved = bytes.isEmpty ? nil : try fileSystem.setAside(bytes, beside: paths)
    if saved != nil { events.setAside(bytes.count) }
    return try make(cuts: [shortHeader(bytes, savedAs: saved.map(url))])
  }

  private func shortHeader(_ bytes: [UInt8], savedAs saved: URL?) -> OpeningReport.Cut {
    OpeningReport.Cut(
      file: url(paths.file), offset: 0, byteCount: bytes.count,
      reason: bytes.isEmpty ? "the file is empty" : "the file ends within its header",
      revisions: nil, savedAs: saved)
  }

  private func make(cuts: [OpeningReport.Cut]) throws -> Loaded {
    let leftovers = try removeLeftovers()
    try fileSystem.syncName(ofDirectory: paths.directory)
    let header = StoreFileHeader(recordName: Record.storedName)
    let file = try replaceFile(by: header.bytes)
    do {
      try fileSystem.syncDirectory(paths.directory)
      let end = header.bytes.count
      var disk = StoreDisk<Record>(
        file: file, status: try fileSystem.status(of: file), header: header, end: end, baseEnd: end)
      disk.isSynced = true
      disk.isNameSynced = true
      var proofs = FrameProofs.none
      let replay = try disk.replay([], from: 0, base: end, size: end, onto: nil, proofs: &proofs)
      return Loaded(disk: disk, replay: replay, cuts: cuts, leftovers: leftovers)
    } catch {
      // The original error matters more than one of closing.
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  private func removeLeftovers() throws(FileSystemError) -> [URL] {
    var removed: [URL] = []
    for path in [paths.new, paths.saving, paths.newDerived] where try fileSystem.removeIfThere(path)
    {
      removed.append(url(path))
    }
    return removed
  }
}

extension FieldError {
  /// A Boolean value that indicates whether the device was locked during a call.
  fileprivate var isOfLockedDevice: Bool { (underlying as? FileSystemError)?.isLocked == true }

  /// Whether the file can be read although it can't be written.
  fileprivate var leavesReading: Bool {
    underlying is FileSystemError && (code == .diskFull || code == .readOnly)
  }
}

extension FileStoreCore {
  /// Replaces the store file with a file of these bytes; the directory isn't synced yet.
  func replaceFile(by bytes: [UInt8]) throws(FileSystemError) -> OpenFile {
    try fileSystem.removeIfThere(paths.new)
    return try fileSystem.makeFile(paths.new) { file throws(FileSystemError) in
      try fileSystem.write(bytes, to: file, at: 0)
      try fileSystem.sync(file)
      do throws(FileSystemError) {
        try fileSystem.rename(paths.new, to: paths.file)
      } catch {
        // A rename that reports an error may have taken effect.
        let mine = try fileSystem.status(of: file)
        guard let present = try fileSystem.status(at: paths.file), present.isSameFile(as: mine)
        else { throw error }
      }
    }
  }

  /// Returns the bytes of the file from an offset on, as far as they may be frames.
  ///
  /// A large file is read in parts, so that a hole in a sparse one takes no memory, unless its first
  /// frame takes up half of it.
  func frames(
    in file: OpenFile, from place: Int, size: Int, seed: UInt32
  ) throws -> [UInt8] {
    let count = max(size - place, 0)
    var first = Self.partSize
    if count > first {
      let header = try fileSystem.read(file, at: place, count: Frame.headerSize)
      if header.count == Frame.headerSize,
        let frame = try Frame.readHeader(header, at: 0, base: 0, seed: seed),
        frame.end <= count, frame.end >= count / 2
      {
        first = count
      }
    }
    var bytes = try fileSystem.read(file, at: place, count: min(count, first))
    var end = 0
    while bytes.count < count {
      while bytes.count - end >= Frame.headerSize {
        guard let frame = try Frame.readHeader(bytes, at: end, base: 0, seed: seed),
          frame.end <= count
        else { return bytes }
        end = frame.end
      }
      let needed = max(Self.partSize, end + Frame.headerSize - bytes.count)
      let part = try fileSystem.read(
        file, at: place + bytes.count, count: min(needed, count - bytes.count))
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  private static var partSize: Int { 1 << 24 }

  /// Saves the unreadable end of the file and cuts it off; without the lock, only reports it.
  func cut(
    _ tail: FrameScan.Tail, disk: inout StoreDisk<Record>, isLocked: Bool
  ) throws(FileSystemError) -> OpeningReport.Cut {
    var report = OpeningReport.Cut(
      file: url(paths.file), offset: tail.offset, byteCount: tail.count, reason: tail.reason,
      revisions: tail.revisions, savedAs: nil)
    guard isLocked, let file = disk.file else { return report }
    let saved = try fileSystem.setAside(file, from: tail.offset, beside: paths)
    events.setAside(tail.count)
    try fileSystem.truncate(file, to: tail.offset)
    try sync(file, besides: false)
    disk.isSynced = true
    disk.status = try fileSystem.status(of: file)
    report.savedAs = url(saved)
    return report
  }
}

// MARK: - Catching up

extension FileStoreCore {
  /// Applies the changes that other processes have made to the file.
  ///
  /// If the file and its end are the same, nothing happens. If it is longer, its new frames are
  /// read. If it is another file, is shorter, or has a different last frame, everything is read
  /// again. Without the lock, an incomplete frame is assumed to be in progress and ignored.
  ///
  /// A store that rejects commits until it is opened again reads on, too: other processes may have committed.
  func catchUp(isLocked: Bool) throws {
    try FileSystemError.explained("The store \(paths.file) can't be read.") {
      guard var disk else { return }
      guard let present = try fileSystem.status(at: paths.file) else {
        if isLocked { try refuseIfGone() }
        return  // Readers keep their content.
      }
      guard let file = disk.file, try isContinued(disk, file, present) else {
        try loadAgain(isLocked: isLocked)
        return
      }
      if present.size > disk.end, isLocked || present != disk.status {
        try readOn(&disk, file, isLocked: isLocked)
      } else {
        disk.status = present
        self.disk = disk
      }
    }
  }

  /// Reads another file, or one that was changed before its end, unless it is gone meanwhile.
  private func loadAgain(isLocked: Bool) throws {
    do {
      try load(isLocked: isLocked, isAgain: true)
    } catch let error as FieldError where error.isOfMissingFile {
      guard isLocked else { return }  // readers keep what they have
      try refuseIfGone()
      throw error
    }
  }

  /// Whether the file still begins with everything that was read from it.
  private func isContinued(
    _ disk: StoreDisk<Record>, _ file: OpenFile, _ present: FileStatus
  ) throws -> Bool {
    guard let known = disk.status, present.isSameFile(as: known), present.size >= disk.end else {
      return false
    }
    guard let last = disk.last else { return true }
    // Another process may have cut off a frame that it couldn't sync, and written one of equal
    // length.
    let bytes = try fileSystem.read(file, at: last.start, count: Frame.headerSize)
    guard bytes.count == Frame.headerSize else { return false }
    return try Frame.readHeader(bytes, at: 0, base: last.start, seed: disk.header.seed) == last
  }

  private func readOn(
    _ disk: inout StoreDisk<Record>, _ file: OpenFile, isLocked: Bool
  ) throws {
    let start = disk.end
    // Checked before reading, so that a concurrent addition is detected by the next check.
    let status = try fileSystem.status(of: file)
    let bytes = try frames(in: file, from: start, size: status.size, seed: disk.header.seed)
    var proofs = FrameProofs.none
    let replay = try disk.replay(
      bytes, from: 0, base: start, size: status.size, onto: hub.current, proofs: &proofs,
      source: hub.current.content.source ?? makeSource())
    disk.status = status
    disk.isSynced = false
    if let tail = replay.scan.tail, isLocked {
      let cut = try cut(tail, disk: &disk, isLocked: true)
      state.withLock { $0.report?.cuts.append(cut) }
    }
    // First, because with the known state of the file, others take the content to be current.
    if !replay.scan.frames.isEmpty { hub.publish(replay.snapshot.marked(mark(of: disk))) }
    self.disk = disk
  }
}

extension FieldError {
  /// Whether the file was gone when it was to be opened.
  fileprivate var isOfMissingFile: Bool { (underlying as? FileSystemError)?.isNotFound == true }
}

// MARK: - Setting aside

extension FileStoreCore {
  /// Adds the files next to the store that contain what was cut off, by this process or another.
  func noteSetAside(in report: inout OpeningReport) throws {
    try FileSystemError.explained("The directory of the store \(paths.file) can't be listed.") {
      let beside = try fileSystem.partsOfDamage(beside: paths)
      report.setAside = beside.setAside.map(url)
      report.salvaged = beside.salvaged.map(url)
    }
  }

  /// Restores the readable batches of damaged parts; see ``StoreFile/salvage()``.
  package func salvage() async throws -> SalvageReport {
    try checkWritable()
    return try await alone {
      let report = try StoreFile(paths.file, fileSystem: fileSystem)
        .salvageLocked(expecting: Record.storedName)
      var opening = try load(isLocked: true)
      try noteSetAside(in: &opening)
      state.withLock { [opening] in $0.report = opening }
      return report
    }
  }

  /// Runs `body` while no other task or process uses the file.
  @concurrent
  private func alone<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    try await asyncLock.withLock { try await processLock.hold { try body() } }
  }

  /// Removes everything, or sets an unreadable file aside and starts with an empty store.
  package func eraseAll(durability: Durability) async throws {
    do {
      if hub.current.failure == nil { try await openIfNeeded() } else { _ = try await open() }
    } catch let error as FieldError where access == .readWrite && error.isUnreadableStore {
      return try await alone { try startAnew() }
    }
    _ = try await update(durability: durability) { snapshot, changes, checkpoint in
      changes.removeAll()
      checkpoint = .erased(at: snapshot.revision)
    }
    try await eraseBytes()
    try await removeSetAside()
  }

  /// Rewrites the file, so that it no longer contains the erased records.
  private func eraseBytes() async throws {
    try await writing {
      try await self.onDisk { try self.prepare() }
      let current = self.hub.current
      // The commit has compacted a larger file already, and an empty base has no records.
      guard current.isEmpty, let disk = self.disk else { return }
      try await self.onDisk {
        try FileSystemError.explained("The derived file of \(self.paths.file) can't be removed.") {
          try self.removeDerived()
        }
        if disk.end > disk.baseEnd { self.tryCompacting(current) }
      }
    }
  }

  private func startAnew() throws {
    try FileSystemError.explained("The store \(paths.file) can't be set aside.") {
      try removeDerived()
      try fileSystem.rename(paths.file, toUnused: paths.setAside)
      try fileSystem.syncDirectory(paths.directory)
    }
    events.setAside(nil)
    try load(isLocked: true)
  }

  /// Removes the damaged parts that were set aside, and their mention in the report.
  package func removeSetAside() async throws {
    try checkWritable()
    try await openIfNeeded()
    try await alone {
      try FileSystemError.explained("The data set aside from \(paths.file) can't be removed.") {
        let beside = try fileSystem.partsOfDamage(beside: paths)
        for file in beside.setAside + beside.salvaged { try fileSystem.removeIfThere(file) }
        try fileSystem.syncDirectory(paths.directory)
      }
      state.withLock { state in
        state.report?.setAside = []
        state.report?.salvaged = []
        state.report?.cuts = []
      }
    }
  }
}

extension FieldError {
  /// A Boolean value that indicates whether a store is unreadable, so that only erasing helps.
  package var isUnreadableStore: Bool {
    [.damaged, .newerFormat, .invalidInput].contains(code)
  }
}
