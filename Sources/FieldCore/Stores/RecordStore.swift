/// A type that stores records of one type, with the checkpoint that describes them.
///
/// ### When to use it
///
/// Use ``InMemoryStore`` in tests and previews, and ``FileStore`` for persistent data. Implement
/// the protocol to store records somewhere else, and test your implementation with
/// `RecordStoreConformance` in `FieldTesting`.
///
/// ### How to use it
///
/// ```swift
/// let before = try await store.snapshot()
/// var changes = Changes<Visit>()
/// changes.upsert(visit)
/// try await store.commit(changes, checkpoint: nil, expecting: before.revision)
/// ```
///
/// ### How to implement it
///
/// - Taking a snapshot is cheap, and a snapshot never changes.
/// - A commit is atomic and includes both records and checkpoint.
/// - Commits are serialized; each that changes something increments the revision.
/// - Records keep the order of their first insertion. An update doesn't move a record; a record
///   that was removed and inserted again goes to the end.
public protocol RecordStore<Record>: SyncTarget {
  /// The type of the records.
  associatedtype Record

  /// Returns the current content.
  ///
  /// ```swift
  /// let visits = try await store.snapshot()
  /// print(visits.count, visits[id: visit.id] as Any, visits.revision)
  /// ```
  func snapshot() async throws -> Snapshot<Record>

  /// Returns the current content, once it survives a power failure.
  ///
  /// A snapshot may contain a commit that its process didn't sync. Call this method before you
  /// destroy something because of what the store contains, such as a file that a record replaces.
  /// By default, the method commits no changes and then takes a snapshot.
  ///
  /// ```swift
  /// let visits = try await store.durableSnapshot()
  /// print(visits[id: visit.id] == nil ? "keep the draft" : "remove the draft")
  /// ```
  ///
  /// - Throws: ``FieldError`` if the content can't be synced, or the store is read-only.
  func durableSnapshot() async throws -> Snapshot<Record>

  /// Applies `changes` and returns the resulting revision.
  ///
  /// ```swift
  /// let before = try await store.snapshot()
  /// try await store.commit(
  ///   Changes(upserting: [visit]), checkpoint: nil, expecting: before.revision)
  /// ```
  ///
  /// - Parameters:
  ///   - changes: The records to insert, replace, and remove.
  ///   - checkpoint: The new checkpoint, or `nil` to keep the current one.
  ///   - expecting: The revision that the changes are based on, or `nil` to accept any.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` if the store's revision
  ///   isn't `expecting`. Nothing has been changed then.
  @discardableResult
  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// Updates the store with changes that `body` derives from its content.
  ///
  /// ``InMemoryStore`` and ``FileStore`` run one update at a time, in all processes that share the
  /// store, so `body` runs once. By default, the update is a ``commit(_:checkpoint:expecting:)``
  /// that is repeated after each conflict.
  ///
  /// ```swift
  /// try await store.update { visits, changes, _ in
  ///   if visits[id: visit.id] == nil { changes.upsert(visit) }
  /// }
  /// ```
  ///
  /// - Parameter body: Makes the changes, given the store's content, and may replace its
  ///   checkpoint. It may run more than once, so it must not have other side effects.
  /// - Returns: The revision that contains the changes. If there are none, nothing is committed.
  /// - Throws: An error from `body` or from the commit, or `CancellationError` if the task is
  ///   canceled before the commit. Nothing has been changed then.
  @discardableResult
  func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision

  /// Returns the current content, and the newest content after each change.
  ///
  /// ```swift
  /// for try await visits in store.updates() { print(visits.count) }
  /// ```
  func updates() -> SnapshotUpdates<Record>

  /// Opens the store and reports the result.
  ///
  /// Every other method opens the store if necessary.
  ///
  /// By default, the method takes a snapshot.
  ///
  /// ```swift
  /// let report = try await store.open()
  /// print(report.recordCount, report.cuts)
  /// ```
  @discardableResult
  func open() async throws -> OpeningReport

  /// Removes all records and the checkpoint, and damaged parts that were set aside.
  ///
  /// What remains is a checkpoint with a new ``Checkpoint/erasure``, by which a running refresh
  /// notices the erasure. A store whose content can't be read is set aside and starts empty. By
  /// default, the method is an update followed by ``removeSetAside()``.
  ///
  /// ```swift
  /// try await store.eraseAll()
  /// print(try await store.snapshot().isEmpty)
  /// ```
  func eraseAll() async throws

  /// Removes the damaged parts that earlier openings set aside, for an owner that erases
  /// everything.
  ///
  /// By default, the method does nothing.
  func removeSetAside() async throws

  /// Closes the store: updates end, and every later call throws ``FieldError/Code/closed``.
  ///
  /// By default, the method does nothing.
  func close() async throws

  /// The observer that the store reports to, and the kit that uses it; `nil` if there is none.
  ///
  /// By default, there is none.
  var observer: FieldObserver? { get }
}

extension RecordStore {
  /// Commits no changes, so that the store syncs its content, and then takes a snapshot.
  public func durableSnapshot() async throws -> Snapshot<Record> {
    try await commit(Changes(), checkpoint: nil, expecting: nil)
    return try await snapshot()
  }

  /// Takes a snapshot and reports an intact store.
  @discardableResult
  public func open() async throws -> OpeningReport {
    let snapshot = try await snapshot()
    return OpeningReport(revision: snapshot.revision, recordCount: snapshot.count)
  }

  /// Removes everything in one update, and then the parts that were set aside.
  public func eraseAll() async throws {
    try await update { snapshot, changes, checkpoint in
      changes.removeAll()
      checkpoint = .erased(at: snapshot.revision)
    }
    try await removeSetAside()
  }

  /// Does nothing.
  public func removeSetAside() async throws {}

  /// Does nothing.
  public func close() async throws {}

  /// By default, there is no observer.
  public var observer: FieldObserver? { nil }
}

// MARK: - Update

extension RecordStore {
  /// Updates the store with changes that `body` derives from its content.
  ///
  /// ```swift
  /// try await store.update { visits, changes in
  ///   guard var visit = visits[id: id] else { return }
  ///   visit.count += 1
  ///   changes.upsert(visit)
  /// }
  /// ```
  ///
  /// - Parameter body: Makes the changes. It may run more than once, so it must not have other
  ///   side effects.
  /// - Throws: An error from `body` or from the commit; nothing has been changed then.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Void
  ) async throws -> Revision {
    try await update { snapshot, changes, _ in try body(snapshot, &changes) }
  }

  /// Updates the store with changes that `body` makes, and returns the result of `body`.
  package func updating<Result>(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Result
  ) async throws -> Result {
    var result: Result?
    try await update { result = try body($0, &$1, &$2) }
    guard let result else { throw FieldError(.io, "The store didn't run the update.") }
    return result
  }

  /// Commits the changes that `body` makes, repeating that after each conflict.
  ///
  /// Each conflict means that another commit succeeded, so callers don't hold each other up
  /// forever. A store that only reports conflicts is broken: the thousandth conflict is thrown.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    var attempts = 1
    while true {
      let before = try await snapshot()
      guard let (changes, checkpoint) = try before.changes(by: body) else { return before.revision }
      try Task.checkCancellation()
      do {
        return try await commit(changes, checkpoint: checkpoint, expecting: before.revision)
      } catch let error as FieldError where error.code == .conflict && attempts < 1_000 {
        attempts += 1
        await Task.yield()
      }
    }
  }

  /// Changes the store in a refresh, unless the store was erased since the refresh began.
  ///
  /// - Parameter base: The checkpoint that the refresh began with, or that its part began with. In a refresh of a kit, the
  ///   store must not have been erased before that part either.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` if the store was erased.
  @discardableResult
  package func update(
    inRunFrom base: Checkpoint?,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    let run = RunErasures.current
    return try await update { snapshot, changes, checkpoint in
      guard checkpoint?.erasure == base?.erasure,
        run.contains(checkpoint?.erasure, of: Record.self)
      else { throw FieldError.erasedInRun }
      try body(snapshot, &changes, &checkpoint)
    }
  }
}

extension Snapshot {
  /// Returns the changes that `body` makes, or `nil` if there are none.
  func changes(
    by body: (Snapshot, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) throws -> (Changes<Record>, Checkpoint?)? {
    var changes = Changes<Record>()
    var checkpoint = checkpoint
    try body(self, &changes, &checkpoint)
    return changes.isEmpty && checkpoint == self.checkpoint ? nil : (changes, checkpoint)
  }
}

extension FieldError {
  /// The error of a refresh whose store was erased.
  package static var erasedInRun: FieldError {
    FieldError(
      .conflict,
      "The store was erased during the refresh, so nothing was stored. Refresh again.")
  }
}
