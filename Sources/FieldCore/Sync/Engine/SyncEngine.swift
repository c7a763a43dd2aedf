internal import FieldFoundation

/// Brings a store up to a ``PagedSource``, page by page, so that a run can stop anywhere and nothing is
/// lost.
///
/// - Each page is committed together with the position behind it. A run that was stopped, by an error,
///   by cancellation or by a crash, goes on there.
/// - A full run is a run from the beginning; an incremental one begins where the last has ended, less an
///   overlap for rows that become visible late. Rows come in the order of their last change, so a row
///   that changes meanwhile comes again at the end.
/// - What is gone is found out by the ids that a full run has seen, or by a run over the ids alone; only
///   when that was whole and of one version of the data, and only as much as the guard allows.
/// - Memory holds one page and one set of ids, however many rows there are, beside what the store itself
///   keeps of the content that the run began with, by which it can be undone.
/// - A source that turns out not to look at what it is asked is an error, and what it gave in this run
///   is undone.
package struct SyncEngine<Record: StoredRecord>: Sendable {
  let source: any PagedSource<Record>
  package let store: any RecordStore<Record>
  let deletion: DeletionPolicy
  let snapshotGuard: SnapshotGuard
  let merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)?
  let clock: any FieldClock

  /// Makes an engine.
  ///
  /// - Parameters:
  ///   - merge: Makes of a stored and a given record what is stored from now on, for records that also
  ///     have what the source does not know; nil takes the given one.
  package init(
    source: any PagedSource<Record>,
    store: any RecordStore<Record>,
    deletion: DeletionPolicy,
    snapshotGuard: SnapshotGuard = SnapshotGuard(),
    clock: any FieldClock,
    merging merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)? = nil
  ) {
    self.source = source
    self.store = store
    self.deletion = deletion
    self.snapshotGuard = snapshotGuard
    self.merge = merge
    self.clock = clock
  }

  /// What the engine's checkpoints are made by: the source, and the form of the cursor.
  package var fingerprint: String { "sync/1 \(source.fingerprint)" }

  /// Does one run, from the beginning or from where the last one ended.
  @concurrent
  package func run(progress: RefreshPart.Progress? = nil) async throws -> RefreshReport {
    var run = SyncRun(self, over: try await store.snapshot(), progress: progress)
    do {
      try await run.readPages()
      let missing = try await run.findMissing()
      return try await run.finish(removing: missing)
    } catch let error as FieldError where run.requiresRollback(by: error) {
      try await run.undo()
      throw error
    }
  }
}
