internal import FieldFoundation

/// An open store file, shared by all ``FileStore`` values of it in this process.
///
/// All work on the file passes through one async lock, so only one task at a time does it; the
/// inner lock only protects the values. Changing the file also requires the interprocess lock.
package final class FileStoreCore<Record: StoredRecord>: Sendable {
  struct State: Sendable {
    var disk: StoreDisk<Record>?
    /// Whether a commit is running, during which the file differs from the known state.
    var isCommitting = false
    var report: OpeningReport?
    var compactionFailure: (any Error)?
    /// Whether a sync has failed that concerned more than the last commit, and the file hasn't been
    /// rewritten since. A later sync proves nothing then, because the system may have dropped any
    /// page.
    var isDoubtful = false
    /// The task that proves the last frame with the whole content.
    var proving: Task<Void, Never>?
    /// The task that writes indexes beside the file.
    var writingIndexes: Task<Void, Never>?
    /// The reason that the file is open only for reading; the next commit tries again.
    var readingReason: FieldError?
    var handleCount = 0
    var lastHandle: UInt64 = 0
    var turn = StoreTurn()
  }

  package var path: String { paths.file }

  let paths: StoreFilePaths
  let fileSystem: any FileSystem
  let access: StoreAccess
  let events: StoreEvents
  let clock: any FieldClock
  /// Returns the identity of the program, or `nil` if there is none.
  let program: @Sendable () -> [UInt8]?
  /// The clock that waits before what was committed is proven; `nil` leaves that to the next opening.
  let provingClock: (any FieldClock)?
  /// The size of a frame from which its records stay in the file until they are used.
  let distantSize: Int
  let processLock: FileLock
  let asyncLock = AsyncLock()
  let hub = SnapshotHub<Record>(Snapshot(EmptyCollection()))
  let state = Lock(State())
  /// The indexes beside the file.
  let shelf = IndexShelf()

  package init(
    path: String, access: StoreAccess, fileSystem: any FileSystem, clock: any FieldClock,
    patience: Duration = .seconds(30),
    program: @escaping @Sendable () -> [UInt8]? = { ProgramIdentity.current },
    provingClock: (any FieldClock)? = nil, distantSize: Int = DistantFrame.smallestSize
  ) {
    paths = StoreFilePaths(path)
    self.program = program
    self.provingClock = provingClock
    self.distantSize = distantSize
    self.fileSystem = fileSystem
    self.access = access
    self.clock = clock
    let events = StoreEvents(path: paths.file, clock: clock)
    self.events = events
    processLock = FileLock(
      paths.lock, fileSystem: fileSystem, clock: clock, patience: patience,
      waiting: { events.span(.storeLockWait) })
    shelf.attach(self)
  }

  deinit {
    stopProving()
    state.withLock { $0.writingIndexes.take() }?.cancel()
    // A failure loses nothing: everything that must be on the device is there.
    if let file = state.withLock({ $0.disk?.file }) { _ = try? fileSystem.closeFile(file) }
  }

  /// The report of opening the store, or `nil` if it isn't open.
  package var report: OpeningReport? { state.withLock { $0.report } }

  /// The error of the last compaction, or `nil` if it succeeded.
  package var compactionFailure: (any Error)? { state.withLock { $0.compactionFailure } }

  // MARK: Handles

  /// Registers a user of the store, and returns its number.
  package func attach(_ observer: FieldObserver?) -> UInt64 {
    let handle = state.withLock { state in
      state.handleCount += 1
      state.lastHandle += 1
      return state.lastHandle
    }
    if let observer { events.add(observer, for: handle) }
    return handle
  }

  /// Ends the observations of a user, and unregisters it.
  package func detach(_ handle: UInt64) {
    let isUsed = state.withLock { state in
      state.handleCount -= 1
      return state.handleCount > 0
    }
    if !isUsed { stopProving() }
    hub.finish(owner: handle)
  }

  package func closeIfUnused() async throws {
    if state.withLock({ $0.handleCount == 0 }) {
      state.withLock { $0.writingIndexes.take() }?.cancel()
      await writeIndexes()
    }
    try await asyncLock.withLockUncancellably { try await self.closeOnDisk() }
  }

  @concurrent
  private func closeOnDisk() async throws {
    guard state.withLock({ $0.handleCount == 0 }), disk?.file != nil else { return }
    defer { processLock.close() }
    do {
      try await makeDurableAtEnd()
    } catch {
      // The file is closed either way; the caller must learn of this error.
      _ = try? closeFile()
      throw error
    }
    try FileSystemError.explained("The store \(paths.file) couldn't be closed cleanly.") {
      try closeFile()
    }
  }

  private func makeDurableAtEnd() async throws {
    guard access == .readWrite, state.withLock({ $0.readingReason == nil }),
      let disk, !disk.isSynced || !disk.isNameSynced || state.withLock({ $0.isDoubtful })
    else { return }
    try await processLock.holdAtEnd {
      self.takeOverDoubts()
      // Another process may have written the file anew, and its name may not be on the device yet.
      let isDoubtful = self.state.withLock { $0.isDoubtful }
      if try isDoubtful || self.hasChanged(since: self.disk?.status) {
        try self.catchUp(isLocked: true)
        try self.writeDoubtfulAnew()
      }
      if var disk = self.disk, let file = disk.file { try self.makeDurable(&disk, file) }
    }
  }

  /// Closes the file, unless the store is in use again.
  private func closeFile() throws(FileSystemError) {
    let file: OpenFile? = state.withLock { state in
      guard state.handleCount == 0 else { return nil }
      defer {
        state.disk = nil
        state.report = nil
      }
      return state.disk?.file
    }
    if let file { try fileSystem.closeFile(file) }
  }

  // MARK: Reading

  /// Returns the content, after checking whether another process has changed the file.
  ///
  /// The check is one `stat`, about a microsecond. It is skipped during a commit of this process,
  /// when the file contains data that isn't durable yet.
  package func snapshot() async throws -> Snapshot<Record> {
    await takeTurn(of: 1)
    try await openIfNeeded()
    let (known, isCommitting) = state.withLock { ($0.disk?.status, $0.isCommitting) }
    if !isCommitting, try hasChanged(since: known) {
      try await asyncLock.withLock { try await self.onDisk { try self.catchUp(isLocked: false) } }
    }
    try checkDecoding()
    return hub.current
  }

  /// Lets other tasks run if the users of the store have had the threads for a while: see ``StoreTurn``.
  func takeTurn(of reads: Int) async {
    let uptime = clock.uptime
    if state.withLock({ $0.turn.hasEnded(after: reads, at: uptime) }) { await StoreTurn.yield() }
  }

  private func hasChanged(since known: FileStatus?) throws -> Bool {
    // If the file no longer exists, readers keep what they have.
    guard let present = try presentStatus() else { return false }
    return present != known
  }

  func presentStatus() throws -> FileStatus? {
    do throws(FileSystemError) {
      return try fileSystem.status(at: paths.file)
    } catch {
      throw error.fieldError("The status of the store \(paths.file) can't be read.")
    }
  }

  /// Starts an observation on behalf of a user.
  package func observe(_ handle: UInt64) async throws -> AsyncStream<Snapshot<Record>> {
    _ = try await snapshot()
    return hub.observe(owner: handle)
  }

  /// The known state of the file.
  ///
  /// Only the task that holds the async lock changes it.
  var disk: StoreDisk<Record>? {
    get { state.withLock { $0.disk } }
    set { state.withLock { $0.disk = newValue } }
  }

  func url(_ path: String) -> URL { URL(filePath: path) }
}

// MARK: - Indexes

extension FileStoreCore: IndexSource {
  /// Returns the place of the content of the file, or `nil` if no indexes can be stored for it.
  func mark(of disk: StoreDisk<Record>) -> StoreMark<Record>? {
    StoreMark(disk.chain, opening: disk.openingLog, shelf: shelf)
  }

  func storedIndex(named name: String) -> [UInt8]? {
    guard let header = disk?.header, let owner = indexOwner else { return nil }
    return derivedFile(of: header) { $0 == owner && $1 == name }?.sections.first?.bytes
  }

  func writeIndexesLater() {
    guard access == .readWrite, let provingClock else { return }
    let task = Task.detached(priority: .background) { [weak self] in
      // The queries that needed an index have the processor for themselves, and others may need more of them.
      guard (try? await provingClock.sleep(for: .seconds(1))) != nil else { return }
      await self?.writeIndexes()
    }
    state.withLock { state in
      state.writingIndexes?.cancel()
      state.writingIndexes = task
    }
  }

  /// Writes the indexes that wait for it beside the file.
  ///
  /// They are written without the lock, which is held while the new file is renamed. If that fails, or another process
  /// holds the lock, the next process builds them, too.
  @concurrent
  func writeIndexes() async {
    guard access == .readWrite, shelf.isWaiting, let owner = indexOwner else { return }
    let waiting = shelf.takeSections()
    guard !waiting.isEmpty else { return }
    // Another process may write the derived file meanwhile, with sections that this one would lose.
    for _ in 0..<3 {
      guard let disk, disk.file != nil, hub.current.failure == nil else { return }
      let before = try? fileSystem.status(at: paths.derived)
      var derived = derivedFile(of: disk)
      for index in waiting {
        guard let link = disk.chain.current(index.link) else { continue }
        var bytes = index.bytes
        IndexStamp.put(link, into: &bytes)
        derived.put(.init(owner: owner, name: index.name, bytes: bytes))
      }
      guard derived.sections.contains(where: { $0.owner == owner && $0.name != Self.proofName }),
        let file = try? writeNew(derived)
      else { return }
      let isDone = try? await asyncLock.withLock {
        try processLock.holdIfFree { try self.replaceDerived(by: file, of: disk, after: before) }
      }
      if isDone == true {
        shelf.noteWritten(waiting.map { ($0.name, $0.link) })
      } else if (try? isNewDerived(file)) == true {
        _ = try? fileSystem.removeIfThere(paths.newDerived)
      }
      _ = try? fileSystem.closeFile(file)
      guard isDone == false else { return }
    }
  }

  /// Puts the new derived file in the place of the present one, unless that or the store has changed.
  private func replaceDerived(
    by file: OpenFile, of disk: StoreDisk<Record>, after before: FileStatus?
  ) throws -> Bool {
    guard let now = self.disk, now.chain == disk.chain, now.header == disk.header,
      try presentStatus() == now.status, try fileSystem.status(at: paths.derived) == before,
      try isNewDerived(file)
    else { return false }
    try fileSystem.rename(paths.newDerived, to: paths.derived)
    return true
  }

  /// Returns a Boolean value that indicates whether the new derived file is the one that this process has written.
  private func isNewDerived(_ file: OpenFile) throws -> Bool {
    let mine = try fileSystem.status(of: file)
    return try fileSystem.status(at: paths.newDerived)?.isSameFile(as: mine) == true
  }

  private var indexOwner: [UInt8]? {
    program().flatMap { FrameProofs.owner(Record.self, in: $0) }
  }
}

// MARK: - Proving

extension FileStoreCore {
  /// Returns the proofs of this program for the frames of the file.
  ///
  /// - Parameter isProving: Whether to prove frames for which there is no proof.
  func proofs(of header: StoreFileHeader, isProving: Bool) -> FrameProofs {
    let isDoubted = hub.current.failure != nil
    return FrameProofs(isProving: isProving && !isDoubted, isDoubted: isDoubted) { [program] in
      program().flatMap { FrameProofs.owner(Record.self, in: $0) }
    } read: { [self] owner in
      let sections = derivedFile(of: header) { $0 == owner && $1 == Self.proofName }?.sections
      return sections?.first.map { [Frame](section: $0.bytes) } ?? []
    }
  }

  /// Returns the source of records that are decoded when they are used.
  func makeSource() -> StoredSource {
    StoredSource(path: paths.file) { [fileSystem, paths] in
      // The next opening decodes all records, in any process.
      _ = try? fileSystem.removeIfThere(paths.derived)
    }
  }

  /// Throws if a record couldn't be decoded when it was used.
  func checkDecoding() throws(FieldError) {
    if let failure = hub.current.failure { throw failure }
  }

  /// Keeps proofs for later openings.
  ///
  /// A failure only means that the next opening decodes all records, too.
  func keep(_ proofs: inout FrameProofs, of disk: StoreDisk<Record>) {
    guard proofs.isNew, let owner = proofs.owner else { return }
    var derived = derivedFile(of: disk)
    derived.put(.init(owner: owner, name: Self.proofName, bytes: proofs.frames.bytes))
    guard let file = try? writeNew(derived) else { return }
    do throws(FileSystemError) {
      try fileSystem.rename(paths.newDerived, to: paths.derived)
    } catch {
      _ = try? fileSystem.removeIfThere(paths.newDerived)
    }
    _ = try? fileSystem.closeFile(file)
  }

  static var proofName: String { "proof" }

  /// Returns the derived file as far as it is of use, or an empty one.
  func derivedFile(of disk: StoreDisk<Record>) -> DerivedFile {
    var derived =
      derivedFile(of: disk.header) { _, _ in true }
      ?? DerivedFile(creationID: disk.header.creationID)
    // A process that numbers slots in its own way doesn't know which indexes are of use.
    guard !disk.chain.links.isEmpty else { return derived }
    derived.removeSections { section in
      guard section.name != Self.proofName else { return false }
      var reader = SectionReader(section.bytes)
      return IndexStamp(from: &reader).flatMap { disk.chain.current($0.link) } == nil
    }
    return derived
  }

  /// Returns the intact sections of the derived file that `isWanted` accepts; `nil` if there is no such file.
  func derivedFile(
    of header: StoreFileHeader, where isWanted: ([UInt8], String) -> Bool
  ) -> DerivedFile? {
    guard let file = try? fileSystem.openFile(paths.derived, .reading) else { return nil }
    defer { _ = try? fileSystem.closeFile(file) }
    return try? DerivedFile(creationID: header.creationID, where: isWanted) {
      (place, count) throws(FileSystemError) in
      try fileSystem.read(file, at: place, count: count)
    }
  }

  /// Writes a derived file beside the present one, without a sync: its checksums show whether it is intact.
  func writeNew(_ derived: DerivedFile) throws(FileSystemError) -> OpenFile {
    try fileSystem.removeIfThere(paths.newDerived)
    return try fileSystem.makeFile(paths.newDerived) { file throws(FileSystemError) in
      try fileSystem.write(derived.bytes, to: file, at: 0)
      try fileSystem.excludeFromBackup(paths.newDerived)
    }
  }

  /// Removes the derived file, which may contain parts of records.
  func removeDerived() throws(FileSystemError) {
    for path in [paths.newDerived, paths.derived] { try fileSystem.removeIfThere(path) }
  }
}

extension FileStoreCore {
  /// Proves a frame that contains everything, some time after the commit, so that the next opening needn't decode it.
  ///
  /// The records were encoded by this program, but that doesn't prove that it can decode them.
  func proveLater(_ frame: Frame) {
    guard let provingClock, !Record._isIndexed, FrameProofs.concerns(frame, of: Record.self)
    else { return }
    let task = Task.detached(priority: .background) { [weak self] in
      // An import and its first queries have the processor for themselves.
      guard (try? await provingClock.sleep(for: .seconds(3))) != nil else { return }
      // Without a proof, the next opening decodes the records, and reports what it can't decode.
      _ = try? await self?.prove(frame)
    }
    state.withLock { state in
      state.proving?.cancel()
      state.proving = task
    }
  }

  func stopProving() {
    // The task stays in the closure, because using its type for a result takes a tenth of a millisecond in a new process.
    state.withLock { state in
      state.proving?.cancel()
      state.proving = nil
    }
  }

  private func prove(_ frame: Frame) async throws {
    guard let header = disk?.header, try proves(frame, of: header) else { return }
    try await asyncLock.withLock {
      try await processLock.hold {
        guard let disk = self.disk, disk.header == header else { return }
        // The file may be another one by now, in which the frame means nothing.
        var proofs = self.proofs(of: header, isProving: true)
        proofs.add(frame)
        self.keep(&proofs, of: disk)
      }
    }
  }

  /// Returns a Boolean value that indicates whether the records of a frame in the file can be decoded on demand.
  private func proves(_ frame: Frame, of header: StoreFileHeader) throws -> Bool {
    let file = try fileSystem.openFile(paths.file, .reading)
    defer { _ = try? fileSystem.closeFile(file) }
    let bytes = try fileSystem.read(file, at: frame.start, count: frame.end - frame.start)
    let payload = Frame.headerSize..<bytes.count
    guard bytes.count == frame.end - frame.start,
      try Frame.readHeader(bytes, at: 0, base: frame.start, seed: header.seed) == frame,
      CRC32C.checksum(bytes, payload, after: header.seed) == frame.checksum
    else { return false }
    var content = StoreContent<Record>(seed: header.hashSeed)
    let replayed = try FrameCoding<Record>.replay(
      bytes, payload, isIndexed: frame.isIndexed, version: Int(clamping: frame.recordVersion),
      trust: .proven,
      isProving: true, noting: false, into: &content)
    try Task.checkCancellation()
    return replayed.isProven == true
  }
}
