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
    provingClock: (any FieldClock)? = nil
  ) {
    paths = StoreFilePaths(path)
    self.program = program
    self.provingClock = provingClock
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
