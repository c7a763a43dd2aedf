internal import FieldFoundation

/// An engine that updates a store, or another target, from a ``PagedSource`` page by page, so that a run can stop
/// anywhere without losing anything.
///
/// - Each page is committed together with the position after it. A run that was stopped by an
///   error, by cancellation, or by a crash continues there.
/// - A full run starts at the beginning; an incremental one where the last one ended, minus an
///   overlap for rows that become visible late. Rows are in the order of their last change, so a
///   row that changes during the run is read again at the end.
/// - Deleted rows are found from the IDs that a full run has seen, or by a run over the IDs alone,
///   only if that run was complete and of one version of the data, and only as many as the guard
///   allows.
/// - However many rows there are, the engine holds one page. The target keeps one set of IDs, and what a rollback needs: a
///   store has both in memory, besides its content at the beginning of the run.
/// - If a source turns out to ignore requests, that is an error, and the changes of this run are
///   rolled back.
package struct SyncEngine<Record: StoredRecord>: Sendable {
  let source: any PagedSource<Record>
  let target: any SyncTarget<Record>
  let deletion: DeletionPolicy
  let snapshotGuard: SnapshotGuard
  let merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)?
  let clock: any FieldClock

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - store: The store, or another target, to update.
  ///   - merge: A closure that combines a stored record with a new one, for records with data that
  ///     the source doesn't have; `nil` uses the new record.
  package init(
    source: any PagedSource<Record>,
    store target: any SyncTarget<Record>,
    deletion: DeletionPolicy,
    snapshotGuard: SnapshotGuard = SnapshotGuard(),
    clock: any FieldClock,
    merging merge: (@Sendable (_ stored: Record, _ given: Record) -> Record)? = nil
  ) {
    self.source = source
    self.target = target
    self.deletion = deletion
    self.snapshotGuard = snapshotGuard
    self.merge = merge
    self.clock = clock
  }

  /// The fingerprint of the engine's checkpoints, from the source, the format of the cursor, and the
  /// way in which records are read.
  package var fingerprint: String {
    Record.rowFingerprint("sync/1 \(source.fingerprint)")
  }

  /// Performs one run, from the beginning or from the end of the last one.
  @concurrent
  package func run(progress: RefreshPart.Progress? = nil) async throws -> RefreshReport {
    var run = SyncRun(self, into: try await target.beginRun(), progress: progress)
    do {
      try await run.readPages()
      let removesUnseen = try await run.findMissing()
      return try await run.finish(removingUnseen: removesUnseen)
    } catch let error as FieldError where run.requiresRollback(by: error) {
      try await run.undo()
      throw error
    }
  }
}

extension FieldError.Code {
  /// A source returned the same rows again and again, so it ignores requests.
  public static var noProgress: Self { Self(rawValue: "refresh.noProgress") }
  /// A source returned more pages than it can have.
  public static var unboundedPagination: Self { Self(rawValue: "refresh.unboundedPagination") }
  /// A source returned its rows in another order than requested, so some could be lost.
  public static var disordered: Self { Self(rawValue: "refresh.disordered") }
}

extension SyncRun {
  /// Returns whether an error shows that earlier rows weren't what they seemed, so that they must
  /// be rolled back; after any other error, the next run continues after the last page.
  func requiresRollback(by error: FieldError) -> Bool {
    switch error.code {
    case .noProgress, .unboundedPagination, .disordered: true
    case .snapshotRefused: isFull && !isResumed && engine.deletion != .never && base.count > 0
    default: false
    }
  }
}
