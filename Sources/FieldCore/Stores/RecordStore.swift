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

  /// The content as it is now, and then the newest after each change.
  func updates() -> SnapshotUpdates<Record>

  /// Opens what has to be opened, to fail early, and tells what was found; every other call does it by
  /// itself. By default it takes a snapshot.
  @discardableResult
  func open() async throws -> OpeningReport

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

  /// Does nothing.
  public func removeSetAside() async throws {}

  /// Does nothing.
  public func close() async throws {}
}
