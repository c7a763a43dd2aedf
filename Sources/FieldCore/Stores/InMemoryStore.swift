/// Keeps records in memory, for tests, previews and what need not survive the process.
public final class InMemoryStore<Record: StoredRecord>: RecordStore {
  private let hub: SnapshotHub<Record>
  private let asyncLock: AsyncLock
  /// Tells the observations of this value from those of others with the same content.
  private let owner: UInt64
  private let isClosed = Lock(false)

  /// Makes a store, at ``Revision/zero`` whatever it holds.
  public init(_ records: some Sequence<Record>, checkpoint: Checkpoint? = nil) {
    hub = SnapshotHub(Snapshot(records, checkpoint: checkpoint))
    asyncLock = AsyncLock()
    owner = 0
  }

  /// Makes another store of the same content, to be closed by itself: what a second ``FileStore`` of
  /// a file is to the first.
  init(sharing other: InMemoryStore, as owner: UInt64) {
    hub = other.hub
    asyncLock = other.asyncLock
    self.owner = owner
  }

  /// Makes an empty store.
  public convenience init() { self.init(EmptyCollection()) }

  /// The content as it is now.
  public func snapshot() async throws -> Snapshot<Record> {
    try checkOpen()
    return hub.current
  }

  /// Applies `changes` and returns the revision that holds them.
  @discardableResult
  public func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try checkOpen()
    return try await asyncLock.withLock {
      try checkOpen()
      try hub.current.check(expecting)
      return apply(changes, checkpoint)
    }
  }

  /// Changes the store by what `body` makes of its content, one update at a time.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try checkOpen()
    return try await asyncLock.withLock {
      try checkOpen()
      guard let (changes, checkpoint) = try hub.current.changes(by: body) else {
        return hub.current.revision
      }
      return apply(changes, checkpoint)
    }
  }

  private func apply(_ changes: Changes<Record>, _ checkpoint: Checkpoint?) -> Revision {
    let current = hub.current
    guard let next = current.advanced(by: changes.runs, checkpoint: checkpoint) else {
      return current.revision
    }
    hub.publish(next.snapshot)
    return next.snapshot.revision
  }

  /// The content as it is now, and then the newest after each change.
  public func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates {
      // Inside the lock, so that a close either sees the observer or is seen here.
      try self.isClosed.withLock { isClosed in
        guard !isClosed else { throw FieldError.storeIsClosed }
        return self.hub.observe(owner: self.owner)
      }
    }
  }

  /// Ends the observations; every later use throws ``FieldError/Code/closed``.
  public func close() async {
    isClosed.withLock { $0 = true }
    hub.finish(owner: owner)
  }

  private func checkOpen() throws {
    if isClosed.withLock({ $0 }) { throw FieldError.storeIsClosed }
  }
}

extension Snapshot {
  /// Throws ``FieldError/Code/conflict`` when this is not the revision that a commit was made for.
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
