/// A store that keeps its records in memory, for tests, previews, and temporary data.
public final class InMemoryStore<Record: StoredRecord>: RecordStore {
  private let hub: SnapshotHub<Record>
  private let asyncLock: AsyncLock
  /// The ID that distinguishes the observations of this store from those of others with the same
  /// content.
  private let owner: UInt64
  private let isClosed = Lock(false)
  private let turn = Lock(StoreTurn())

  /// Creates a store of the given records, at ``Revision/zero``.
  public init(_ records: some Sequence<Record>, checkpoint: Checkpoint? = nil) {
    hub = SnapshotHub(Snapshot(records, checkpoint: checkpoint))
    asyncLock = AsyncLock()
    owner = 0
  }

  /// Creates another store of the same content that can be closed separately, like a second
  /// ``FileStore`` of a file.
  init(sharing other: InMemoryStore, as owner: UInt64) {
    hub = other.hub
    asyncLock = other.asyncLock
    self.owner = owner
  }

  /// Creates an empty store.
  public convenience init() { self.init(EmptyCollection()) }

  /// Returns the current content.
  public func snapshot() async throws -> Snapshot<Record> {
    await takeTurn()
    try checkOpen()
    return hub.current
  }

  /// Returns the current content, which exists as long as the process.
  public func durableSnapshot() async throws -> Snapshot<Record> { try await snapshot() }

  /// Applies `changes` and returns the resulting revision.
  @discardableResult
  public func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    await takeTurn()
    try checkOpen()
    return try await asyncLock.withLock {
      try checkOpen()
      try hub.current.check(expecting)
      return try apply(changes, checkpoint)
    }
  }

  /// Updates the store with changes that `body` derives from its content, one update at a time.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    await takeTurn()
    try checkOpen()
    return try await asyncLock.withLock {
      try checkOpen()
      guard let (changes, checkpoint) = try hub.current.changes(by: body) else {
        return hub.current.revision
      }
      return try apply(changes, checkpoint)
    }
  }

  private func apply(
    _ changes: Changes<Record>, _ checkpoint: Checkpoint?
  ) throws(FieldError) -> Revision {
    let current = hub.current
    try current.checkIsContinuable()
    guard let next = current.advanced(by: changes.runs, checkpoint: checkpoint) else {
      return current.revision
    }
    hub.publish(next.snapshot)
    return next.snapshot.revision
  }

  /// Returns the current content, and the newest content after each change.
  public func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates {
      // Inside the lock, so that a concurrent close either sees the observer or is seen here.
      try self.isClosed.withLock { isClosed in
        guard !isClosed else { throw FieldError.storeIsClosed }
        return self.hub.observe(owner: self.owner)
      }
    }
  }

  /// Ends the updates; every later call throws ``FieldError/Code/closed``.
  public func close() async {
    isClosed.withLock { $0 = true }
    hub.finish(owner: owner)
  }

  /// Lets other tasks run if the store has been used several times without a pause: see ``StoreTurn``.
  private func takeTurn() async {
    // Without a clock, because tests of this store in virtual time must be repeatable.
    if turn.withLock({ $0.hasEnded(after: 1, at: .zero) }) { await StoreTurn.yield() }
  }

  private func checkOpen() throws {
    if isClosed.withLock({ $0 }) { throw FieldError.storeIsClosed }
  }
}

extension Snapshot {
  /// Throws ``FieldError/Code/conflict`` if this isn't the expected revision.
  package func check(_ expected: Revision?) throws {
    guard let expected, expected != revision else { return }
    throw FieldError(
      .conflict,
      "The changes are based on \(expected), but the store is at \(revision). Rebuild them.")
  }
}

extension FieldError {
  package static var storeIsClosed: FieldError {
    FieldError(.closed, "The store has been closed. Create a new one to use it again.")
  }
}
