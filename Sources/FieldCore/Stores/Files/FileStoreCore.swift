internal import FieldFoundation

/// A store file as it is open in this process, shared by all the ``FileStore`` values of it.
///
/// All work on the file passes one asyncLock, so it is done by one task at a time; the lock only
/// guards the values. What changes the file also holds the lock among processes.
package final class FileStoreCore<Record: StoredRecord>: Sendable {
  struct State: Sendable {
    var disk: StoreDisk<Record>?
    /// Whether a commit is under way, which makes the file differ from what is known of it.
    var isCommitting = false
    var report: OpeningReport?
    var compactionFailure: (any Error)?
    /// Whether a sync has failed that not only the last commit needed, and the file was not written anew
    /// since. A later sync says nothing about it then: the system may have given up any page of it.
    var isDoubtful = false
    var handleCount = 0
    var lastHandle: UInt64 = 0
  }

  /// The file.
  package var path: String { paths.file }

  let paths: StoreFilePaths
  let fileSystem: any FileSystem
  let access: StoreAccess
  let processLock: FileLock
  let asyncLock = AsyncLock()
  let hub = SnapshotHub<Record>(Snapshot(EmptyCollection()))
  let state = Lock(State())

  package init(
    path: String, access: StoreAccess, fileSystem: any FileSystem, clock: any FieldClock,
    patience: Duration = .seconds(30)
  ) {
    paths = StoreFilePaths(path)
    self.fileSystem = fileSystem
    self.access = access
    processLock = FileLock(
      paths.lock, fileSystem: fileSystem, clock: clock, patience: patience)
  }

  deinit {
    // Nothing is lost when this fails: all that had to be on the device is there.
    if let file = state.withLock({ $0.disk?.file }) { _ = try? fileSystem.closeFile(file) }
  }

  /// What opening found; nil when the store is not open.
  package var report: OpeningReport? { state.withLock { $0.report } }

  /// Why the last compaction failed; nil when it did not.
  package var compactionFailure: (any Error)? { state.withLock { $0.compactionFailure } }

  // MARK: handles

  /// Counts one more user of the store, and gives it a number.
  package func attach() -> UInt64 {
    state.withLock { state in
      state.handleCount += 1
      state.lastHandle += 1
      return state.lastHandle
    }
  }

  /// Ends what the user of this number observes, and counts one less.
  package func detach(_ handle: UInt64) {
    state.withLock { $0.handleCount -= 1 }
    hub.finish(owner: handle)
  }

  /// Closes the file when it has no user any more.
  package func closeIfUnused() async throws {
    try await asyncLock.withLockUncancellably { try await self.closeOnDisk() }
  }

  @concurrent
  private func closeOnDisk() async throws {
    guard state.withLock({ $0.handleCount == 0 }), disk?.file != nil else { return }
    defer { processLock.close() }
    do {
      try await makeDurableAtEnd()
    } catch {
      // The file is closed either way; this is what the caller has to hear of.
      _ = try? closeFile()
      throw error
    }
    do throws(FileSystemError) {
      try closeFile()
    } catch {
      throw error.fieldError("The store \(paths.file) couldn't be closed cleanly.")
    }
  }

  private func makeDurableAtEnd() async throws {
    guard access == .readWrite else { return }
    if state.withLock({ $0.isDoubtful }) {
      try await processLock.hold {
        try self.catchUp(isLocked: true)
        try self.writeDoubtfulAnew()
      }
    }
    if var disk, let file = disk.file { try makeDurable(&disk, file) }
  }

  /// Closes the file, unless somebody has begun to use the store meanwhile.
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

  // MARK: reading

  /// The content, after a look whether another process has changed the file.
  ///
  /// The look is one `stat`, about a microsecond. While a commit of this process is under way, it is
  /// left out: what is in the file then is not yet durable.
  package func snapshot() async throws -> Snapshot<Record> {
    try await openIfNeeded()
    let (known, isCommitting) = state.withLock { ($0.disk?.status, $0.isCommitting) }
    if !isCommitting, try hasChanged(since: known) {
      try await asyncLock.withLock { try await self.lookOnDisk() }
    }
    return hub.current
  }

  private func hasChanged(since known: FileStatus?) throws -> Bool {
    do throws(FileSystemError) {
      // A file that is gone leaves its readers what they had.
      guard let present = try fileSystem.status(at: paths.file) else { return false }
      return present != known
    } catch {
      throw error.fieldError("The status of the store \(paths.file) can't be read.")
    }
  }

  @concurrent
  private func lookOnDisk() async throws {
    try catchUp(isLocked: false)
  }

  /// Starts an observation of the content on behalf of a user.
  package func observe(_ handle: UInt64) async throws -> AsyncStream<Snapshot<Record>> {
    _ = try await snapshot()
    return hub.observe(owner: handle)
  }

  /// Runs `body` on what is known of the file.
  ///
  /// Only the task that has passed the asyncLock changes it.
  var disk: StoreDisk<Record>? {
    get { state.withLock { $0.disk } }
    set { state.withLock { $0.disk = newValue } }
  }

  func url(_ path: String) -> URL { URL(filePath: path) }
}
