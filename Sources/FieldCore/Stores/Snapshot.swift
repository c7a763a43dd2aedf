/// The content of a store at one revision, which never changes.
///
/// It is a collection of the records in the order of their first insertion, and finds one by its id:
///
/// ```swift
/// let visits = try await store.snapshot()
/// for visit in visits { print(visit.note) }
/// print(visits[id: someID]?.note ?? "unknown")
/// ```
///
/// A snapshot costs nothing to take or to copy. It shares its memory with the snapshots before and
/// after it, and holds on to that memory while it is there.
public struct Snapshot<Record: StoredRecord>: Sendable {
  @usableFromInline
  final class State: Sendable {
    @usableFromInline
    let content: StoreContent<Record>
    let revision: Revision
    let checkpoint: Checkpoint?
    let log: ChangeLog<Record.ID>

    init(
      content: StoreContent<Record>, revision: Revision, checkpoint: Checkpoint?,
      log: ChangeLog<Record.ID>
    ) {
      self.content = content
      self.revision = revision
      self.checkpoint = checkpoint
      self.log = log
    }
  }

  @usableFromInline
  let state: State

  package init(
    content: StoreContent<Record>, revision: Revision, checkpoint: Checkpoint?,
    log: ChangeLog<Record.ID>
  ) {
    state = State(content: content, revision: revision, checkpoint: checkpoint, log: log)
  }

  /// Makes a snapshot of these records; of two with the same id the later one stays.
  ///
  /// This is for a store of your own. ``applying(_:checkpoint:)`` makes the next one from it.
  public init(
    _ records: some Sequence<Record>, revision: Revision = .zero, checkpoint: Checkpoint? = nil
  ) {
    self.init(
      content: Record._loops.build(Array(records)), revision: revision, checkpoint: checkpoint,
      log: ChangeLog(from: revision))
  }

  /// The number of the commit that led to this content.
  public var revision: Revision { state.revision }

  /// What describes the records, as it was last committed.
  public var checkpoint: Checkpoint? { state.checkpoint }

  /// The record of this id, or nil when there is none.
  @inlinable
  public subscript(id id: Record.ID) -> Record? { state.content.record(id: id) }

  /// The ids of the records that were inserted, replaced or removed after `revision`.
  ///
  /// A store remembers about the last hundred commits of its process.
  ///
  /// - Returns: Nil when that is further back than the store remembers; look at all records then.
  public func changedIDs(since revision: Revision) -> Set<Record.ID>? {
    state.log.ids(since: revision)
  }

  /// The snapshot that follows when `changes` are committed, of the next revision; this one when they
  /// change nothing.
  ///
  /// It costs O(changes · log records). This is for a store of your own.
  public func applying(_ changes: Changes<Record>, checkpoint: Checkpoint? = nil) -> Snapshot {
    advanced(by: changes.runs, checkpoint: checkpoint)?.snapshot ?? self
  }

  /// The next snapshot and the steps that made it, or nil when nothing changes.
  package func advanced(
    by runs: [Changes<Record>.Run], checkpoint: Checkpoint?
  ) -> (snapshot: Snapshot, runs: [Changes<Record>.Run])? {
    var content = state.content
    let applied = Record._loops.apply(runs, &content)
    if applied.isEmpty && (checkpoint == nil || checkpoint == self.checkpoint) { return nil }
    let next = Revision(number: revision.number + 1)
    var log = state.log
    log.append(applied.ids, revision: next)
    let snapshot = Snapshot(
      content: content, revision: next, checkpoint: checkpoint ?? self.checkpoint, log: log)
    return (snapshot, applied.runs)
  }
}

extension Snapshot {
  /// The content, for the loops of stores and indexes.
  package var content: StoreContent<Record> { state.content }

  /// Which ids the last commits touched.
  package var log: ChangeLog<Record.ID> { state.log }

  /// The place of a record, which stays the same until ``generation`` changes.
  package func slot(of id: Record.ID) -> Int? { state.content.slot(of: id) }

  /// The record in a slot below ``slotLimit``, or nil when it was removed.
  package func record(at slot: Int) -> Record? { state.content.records[slot] }

  /// One more than the largest slot.
  package var slotLimit: Int { state.content.records.count }

  /// Differs between two snapshots of a store when slots were numbered anew between them.
  package var generation: Int { state.content.generation }
}
