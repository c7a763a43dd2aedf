public import FieldFoundation

/// A store that keeps its records in one file.
///
/// ```swift
/// let visits = FileStore<Visit>(folder.appending(path: "visits.store"))
/// try await visits.commit(changes, checkpoint: nil, expecting: nil)
/// ```
///
/// Creating a store does no I/O. The file is opened on first use, once for all callers; call
/// ``open()`` to open it immediately and fail early. The content is held in memory, so reading
/// costs no more than with ``InMemoryStore``.
///
/// Stores of the same file share its content within a process and see each other's commits.
/// Processes can share a file, too: a lock protects each commit, and ``snapshot()`` checks for
/// commits of other processes.
///
/// Errors are ``FieldError`` values with `store.…` codes, or `CancellationError`.
public final class FileStore<Record: StoredRecord>: RecordStore {
  private struct State: Sendable {
    var core: FileStoreCore<Record>?
    var handle: UInt64 = 0
    var isClosed = false
  }

  /// The observer that the store reports to; `nil` if there is none.
  public let observer: FieldObserver?
  private let durability: Durability
  private let makeCore: @Sendable () throws -> FileStoreCore<Record>
  private let state = Lock(State())

  /// Creates a store in a file, which is created with its directory if it doesn't exist.
  ///
  /// - Parameters:
  ///   - file: A file URL. The store creates further files next to it, whose names begin with its
  ///     name.
  ///   - access: Whether the store may commit.
  ///   - durability: The point at which a commit is complete.
  ///   - protection: The protection of the files while the device is locked. Defaults to that of
  ///     the app's files.
  ///   - allowsNetworkVolumes: Pass `true` if the file may be on a network volume, whose locks and
  ///     syncs you trust. Defaults to `false`.
  ///   - clock: The clock that measures pauses while another process holds the lock.
  ///   - observer: The observer that the store reports to. Defaults to `nil`.
  public convenience init(
    _ file: URL, access: StoreAccess = .readWrite, durability: Durability = .full,
    protection: FileProtection? = nil, allowsNetworkVolumes: Bool = false,
    clock: any FieldClock = .system, observer: FieldObserver? = nil
  ) {
    self.init(durability: durability, observer: observer) {
      guard file.isFileURL else {
        throw FieldError(.invalidInput, "A store needs a file URL, but \(file) isn't one.")
      }
      let placement = FilePlacement(
        protection: protection, isBackedUp: Record.isBackedUp,
        allowsNetworkVolumes: allowsNetworkVolumes)
      return StoreRegistry.core(
        Record.self, path: file.absolutePath, access: access, placement: placement,
        clock: clock)
    }
  }

  /// Creates a store that shares nothing with others of its file, as if in another process.
  package convenience init(
    unsharedPath path: String, access: StoreAccess = .readWrite, durability: Durability = .full,
    fileSystem: any FileSystem = PosixFileSystem(), clock: any FieldClock = .system,
    patience: Duration = .seconds(30), observer: FieldObserver? = nil,
    program: @escaping @Sendable () -> [UInt8]? = { ProgramIdentity.current },
    provingClock: (any FieldClock)? = nil, distantSize: Int = DistantFrame.smallestSize
  ) {
    self.init(durability: durability, observer: observer) {
      FileStoreCore<Record>(
        path: path, access: access, fileSystem: fileSystem, clock: clock, patience: patience,
        program: program, provingClock: provingClock, distantSize: distantSize)
    }
  }

  private init(
    durability: Durability, observer: FieldObserver?,
    makeCore: @escaping @Sendable () throws -> FileStoreCore<Record>
  ) {
    self.durability = durability
    self.observer = observer
    self.makeCore = makeCore
  }

  deinit {
    let state = state.withLock { $0 }
    if let core = state.core, !state.isClosed {
      core.detach(state.handle)
      core.events.remove(state.handle)
    }
  }

  /// Opens the file, again after ``FieldError/Code/needsReopening``, and reports the result.
  ///
  /// ```swift
  /// let report = try await visits.open()
  /// print(report.recordCount, report.cuts)
  /// ```
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await core().open()
  }

  /// Restores the readable batches of damaged parts, and reports what it found.
  ///
  /// Other users of the file see the result as a commit. See <doc:When-a-file-is-damaged> for the rules.
  ///
  /// ```swift
  /// let report = try await visits.salvage()
  /// print(report)
  /// ```
  ///
  /// - Throws: ``FieldError`` with the codes of ``StoreFile/salvage()``.
  @discardableResult
  public func salvage() async throws -> SalvageReport { try await core().salvage() }

  /// Removes the files next to the store that contain damaged parts.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/readOnly``, ``FieldError/Code/io``,
  ///   or ``FieldError/Code/busy``.
  public func removeSetAside() async throws {
    try await core().removeSetAside()
  }

  /// The report of the last reading of the whole file and of damage found since, or `nil` if the file
  /// isn't open.
  ///
  /// The file is read again after another process has rewritten it. Only ``open()`` and
  /// ``salvage()`` list ``OpeningReport/setAside`` and ``OpeningReport/salvaged``.
  public var openingReport: OpeningReport? { state.withLock { $0.core }?.report }

  /// Ends the updates of this store; later calls throw ``FieldError/Code/closed``.
  ///
  /// The file is closed after the last store in this process that uses it has been closed. Deferred
  /// commits are then synced.
  public func close() async throws {
    let open: FileStoreCore<Record>? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      state.core?.detach(state.handle)
      // A closed store doesn't keep its content in memory.
      return state.core.take()
    }
    defer { open?.events.remove(handle) }
    try await open?.closeIfUnused()
  }

  /// Returns the current content, including commits of other processes.
  ///
  /// Reading doesn't need a store that accepts commits: after ``FieldError/Code/needsReopening``, too, the content
  /// is that of the file, which may include a batch whose commit failed. The method itself throws this error only if a
  /// record of an earlier snapshot couldn't be decoded: see ``Snapshot/failure``.
  ///
  /// ```swift
  /// print(try await visits.snapshot().count)
  /// ```
  public func snapshot() async throws -> Snapshot<Record> {
    try await core().snapshot()
  }

  /// Returns the current content after syncing it to the device, whatever the store's durability.
  ///
  /// Unlike ``snapshot()``, the method waits for commits in progress, in all processes.
  ///
  /// - Throws: The errors of ``commit(_:checkpoint:expecting:)``.
  public func durableSnapshot() async throws -> Snapshot<Record> {
    try await core().durableSnapshot()
  }

  /// Applies `changes` with the store's durability, and returns the resulting revision.
  ///
  /// ```swift
  /// try await visits.commit(Changes(upserting: [visit]), checkpoint: nil, expecting: nil)
  /// ```
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` if the store's revision
  ///   isn't `expecting`, ``FieldError/Code/readOnly``, ``FieldError/Code/diskFull``,
  ///   ``FieldError/Code/io``, ``FieldError/Code/busy`` if another process holds the lock for too
  ///   long, ``FieldError/Code/locked``, ``FieldError/Code/remoteVolume``, or
  ///   ``FieldError/Code/needsReopening``. Nothing has been changed then, with one exception: if
  ///   the device was locked during the commit, or if later calls throw
  ///   ``FieldError/Code/needsReopening``, the complete batch may appear later, at the latest when the
  ///   store is opened again.
  @discardableResult
  public func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await core().commit(
      changes, checkpoint: checkpoint, expecting: expecting, durability: durability)
  }

  /// Updates the store with changes that `body` derives from its content.
  ///
  /// Updates run one at a time in all processes that share the file.
  ///
  /// - Parameter body: Makes the changes while other commits wait. It runs once.
  /// - Throws: An error from `body`, or those of ``commit(_:checkpoint:expecting:)`` except for
  ///   ``FieldError/Code/conflict``.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await core().update(durability: durability, body)
  }

  /// Removes all records, the checkpoint, and damaged parts that were set aside.
  ///
  /// The file is rewritten, so that it no longer contains the records, if there is room for it.
  ///
  /// If the file can't be opened because it is damaged, belongs to another type, or was written by
  /// a newer version, the file is set aside, and the store starts empty.
  public func eraseAll() async throws { try await core().eraseAll(durability: durability) }

  /// Returns the current content, and the newest content after each change that this process makes
  /// or sees.
  public func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates {
      let core = try self.core()
      let stream = try await core.observe(self.handle)
      // The store was closed in the meantime, so the observation may have missed its end.
      if self.state.withLock({ $0.isClosed }) { core.hub.finish(owner: self.handle) }
      return stream
    }
  }

  /// Returns the shared store of the file.
  package func core() throws -> FileStoreCore<Record> {
    try state.withLock { state in
      guard !state.isClosed else { throw FieldError.storeIsClosed }
      if let core = state.core { return core }
      let core = try makeCore()
      state.core = core
      state.handle = core.attach(observer)
      return core
    }
  }

  private var handle: UInt64 { state.withLock { $0.handle } }
}

/// The point at which a commit is complete.
public struct Durability: Sendable, Hashable {
  private enum Level: Sendable { case full, deferred }

  private let level: Level

  /// The commit is on the device: `fdatasync` on Linux, `F_FULLFSYNC` on Apple platforms.
  public static let full = Durability(level: .full)

  /// The operating system has the commit, and writes it to the device later.
  ///
  /// A crash of the process loses nothing. A power failure may lose the last commits; the file is
  /// then complete up to an earlier commit. Use it for data that is fetched again anyway.
  public static let deferred = Durability(level: .deferred)
}

/// The kind of access that a file store has to its file.
public struct StoreAccess: Sendable, Hashable {
  private enum Mode: Sendable { case readWrite, readOnly }

  private let mode: Mode

  /// The store may read and commit.
  public static let readWrite = StoreAccess(mode: .readWrite)

  /// The store may only read.
  ///
  /// It takes no lock and writes nothing, and a commit throws ``FieldError/Code/readOnly``.
  ///
  /// If the file doesn't exist, the store is empty until another store creates the file.
  public static let readOnly = StoreAccess(mode: .readOnly)
}
