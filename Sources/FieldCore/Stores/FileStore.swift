public import FieldFoundation

/// Keeps records in one file.
///
/// ```swift
/// let visits = FileStore<Visit>(folder.appending(path: "visits.store"))
/// try await visits.commit(changes, checkpoint: nil, expecting: nil)
/// ```
///
/// Making a store does not touch the disk: the file is opened on first use, once for all callers;
/// ``open()`` does it at once, to fail early. The content is held in memory, so reading costs no more
/// than with ``InMemoryStore``.
///
/// Values of one file share its content within a process, and see each other's commits. Processes
/// share a file as well: a lock guards each commit, and ``snapshot()`` looks whether another process
/// has committed.
///
/// Errors are ``FieldError`` with the codes of `store`, or `CancellationError`.
public final class FileStore<Record: StoredRecord>: RecordStore {
  private struct State: Sendable {
    var core: FileStoreCore<Record>?
    var handle: UInt64 = 0
    var isClosed = false
  }

  private let durability: Durability
  private let makeCore: @Sendable () throws -> FileStoreCore<Record>
  private let state = Lock(State())

  /// Makes a store of the file at `file`, which is made with its directory when it is not there.
  ///
  /// - Parameters:
  ///   - file: A file URL. Beside the file stand others whose names begin with its name.
  ///   - access: Whether commits are allowed.
  ///   - durability: When a commit counts as done.
  ///   - clock: What pauses are made with while another process holds the lock.
  public convenience init(
    _ file: URL, access: StoreAccess = .readWrite, durability: Durability = .full,
    clock: any FieldClock = .system
  ) {
    self.init(durability: durability) {
      guard file.isFileURL else {
        throw FieldError(.invalidInput, "A store needs a file URL, but \(file) isn't one.")
      }
      return StoreRegistry.core(
        Record.self, path: file.absoluteURL.path, access: access, clock: clock)
    }
  }

  /// Makes a store that shares nothing with the others of its file in this process, as if it were in
  /// another process.
  package convenience init(
    unsharedPath path: String, access: StoreAccess = .readWrite, durability: Durability = .full,
    fileSystem: any FileSystem = PosixFileSystem(), clock: any FieldClock = .system,
    patience: Duration = .seconds(30)
  ) {
    self.init(durability: durability) {
      FileStoreCore<Record>(
        path: path, access: access, fileSystem: fileSystem, clock: clock, patience: patience)
    }
  }

  private init(
    durability: Durability, makeCore: @escaping @Sendable () throws -> FileStoreCore<Record>
  ) {
    self.durability = durability
    self.makeCore = makeCore
  }

  deinit {
    let state = state.withLock { $0 }
    if let core = state.core, !state.isClosed { core.detach(state.handle) }
  }

  /// Opens the file now, or again after ``FieldError/Code/needsReopening``, and tells what it found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await core().open()
  }

  /// Removes the files beside the store that hold what was cut off.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/readOnly``, ``FieldError/Code/io``, or
  ///   ``FieldError/Code/busy``.
  public func removeSetAside() async throws {
    try await core().removeSetAside()
  }

  /// What opening the file found, and what was cut since; nil when it is not open.
  public var openingReport: OpeningReport? { state.withLock { $0.core }?.report }

  /// Ends the observations of this value; every later use throws ``FieldError/Code/closed``.
  ///
  /// The file is closed when no value of it is in use any more. Deferred commits are then synced.
  public func close() async throws {
    let open: FileStoreCore<Record>? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      state.core?.detach(state.handle)
      // A closed store that is kept keeps no content in memory.
      defer { state.core = nil }
      return state.core
    }
    try await open?.closeIfUnused()
  }

  /// The content as it is now, commits of other processes included.
  public func snapshot() async throws -> Snapshot<Record> {
    try await core().snapshot()
  }

  /// Applies `changes` and returns the revision that holds them, when they are as durable as the store
  /// was told to be.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` when the store has moved on
  ///   from `expecting`, ``FieldError/Code/readOnly``, ``FieldError/Code/diskFull``,
  ///   ``FieldError/Code/io``, ``FieldError/Code/busy`` when another process holds the lock for too
  ///   long, ``FieldError/Code/needsReopening``. Nothing has been changed then; only after an error
  ///   that is followed by ``FieldError/Code/needsReopening`` the batch may show up, whole, when the
  ///   store is opened again.
  @discardableResult
  public func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await core().commit(
      changes, checkpoint: checkpoint, expecting: expecting, durability: durability)
  }

  /// Changes the store by what `body` makes of its content, one update at a time in all processes that
  /// share the file.
  ///
  /// - Parameter body: Makes the changes, while other commits wait. It runs once.
  /// - Throws: What `body` throws, and what ``commit(_:checkpoint:expecting:)`` throws but for
  ///   ``FieldError/Code/conflict``.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await core().update(durability: durability, body)
  }

  /// Removes all records, the checkpoint and what was set aside.
  ///
  /// If the file can't be opened because it is damaged, belongs to another type or was written by a newer
  /// version, it is set aside instead, and the store starts anew.
  public func eraseAll() async throws { try await core().eraseAll(durability: durability) }

  /// The content as it is now, and then the newest after each change that this process makes or sees.
  public func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates {
      let core = try self.core()
      let stream = try await core.observe(self.handle)
      // Closed meanwhile: the observation may have missed its end.
      if self.state.withLock({ $0.isClosed }) { core.hub.finish(owner: self.handle) }
      return stream
    }
  }

  /// The shared store of the file.
  package func core() throws -> FileStoreCore<Record> {
    try state.withLock { state in
      guard !state.isClosed else { throw FieldError.storeIsClosed }
      if let core = state.core { return core }
      let core = try makeCore()
      state.core = core
      state.handle = core.attach()
      return core
    }
  }

  private var handle: UInt64 { state.withLock { $0.handle } }
}
