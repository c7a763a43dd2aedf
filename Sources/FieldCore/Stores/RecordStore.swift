/// Keeps records of one type, with the checkpoint that describes them.
///
/// ### When to use it
///
/// ``InMemoryStore`` is for tests and previews, ``FileStore`` for everything that must survive.
/// Implement the protocol to keep records somewhere else; `RecordStoreConformance` of `FieldTesting`
/// then proves the implementation.
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
/// - A snapshot costs nothing to take and never changes under its reader.
/// - A commit is applied whole or not at all, rows and checkpoint together.
/// - Commits are one after another; each that changes something raises the revision.
/// - Records keep the order of their first insertion; an update does not move a record, and a record
///   that was removed and comes back goes to the end.
public protocol RecordStore<Record>: Sendable {
  /// The type of the records.
  associatedtype Record: StoredRecord

  /// The content as it is now.
  func snapshot() async throws -> Snapshot<Record>

  /// Applies `changes` and returns the revision that holds them.
  ///
  /// - Parameters:
  ///   - changes: What to insert, replace and remove.
  ///   - checkpoint: What describes the rows from now on; nil leaves the present one.
  ///   - expecting: The revision that the changes were made for; nil takes any.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` when the store has moved on
  ///   from `expecting`. Nothing has been changed then.
  @discardableResult
  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// Changes the store by what `body` makes of its content, in line with all other updates.
  ///
  /// ``InMemoryStore`` and ``FileStore`` run one update at a time, in all processes that share the store,
  /// so `body` runs once. By default the update is a ``commit(_:checkpoint:expecting:)`` that is repeated
  /// after each conflict.
  ///
  /// - Parameter body: Makes the changes from the store's content, and may replace its checkpoint. It may
  ///   run more than once, so it must not do anything else.
  /// - Returns: The revision that contains the changes. If there are none, nothing is committed.
  /// - Throws: What `body` throws, and what a commit throws; nothing has been changed then.
  ///   `CancellationError` if the task is canceled before the commit.
  @discardableResult
  func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision

  /// The content as it is now, and then the newest after each change.
  func updates() -> SnapshotUpdates<Record>

  /// Opens the store and reports what was found. Every other method opens the store if necessary.
  ///
  /// By default it takes a snapshot.
  @discardableResult
  func open() async throws -> OpeningReport

  /// Removes all records and the checkpoint, and what earlier openings set aside.
  ///
  /// What remains is a checkpoint whose ``Checkpoint/erasure`` differs from the one before, so that a
  /// refresh in flight can tell. A store whose content can't be read is set aside and starts anew. By
  /// default it is an update, followed by ``removeSetAside()``.
  func eraseAll() async throws

  /// Removes what openings of the store have set aside, for an owner that erases everything.
  ///
  /// Does nothing by default.
  func removeSetAside() async throws

  /// Ends the use of the store: observations end, and every later call throws
  /// ``FieldError/Code/closed``. By default nothing happens.
  func close() async throws
}

extension RecordStore {
  /// Takes a snapshot, and reports that all is in order.
  @discardableResult
  public func open() async throws -> OpeningReport {
    let snapshot = try await snapshot()
    return OpeningReport(
      revision: snapshot.revision, recordCount: snapshot.count, byteCount: 0, cuts: [],
      removedLeftovers: [])
  }

  /// Removes everything in one update, and then what was set aside.
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
}
