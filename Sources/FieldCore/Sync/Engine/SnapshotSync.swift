package import FieldFoundation

/// A sync of a store, or of one table of it, with a complete set of rows: compared, guarded, and
/// committed at once.
package struct SnapshotSync<Record: StoredRecord>: Sendable {
  /// A complete set of rows.
  package struct Payload: Sendable {
    /// The records, with each ID once.
    package var records: [Record]
    /// The rows that couldn't be used.
    package var failures: [RowFailure]
    /// The IDs of the failed rows, if they could be read.
    package var failedIDs: [Record.ID]
    /// The number of rows, including failed ones.
    package var rowCount: Int
    /// The number of rows that the source states.
    package var announcedCount: Int?

    package init(
      records: [Record], failures: [RowFailure], failedIDs: [Record.ID], rowCount: Int,
      announcedCount: Int?
    ) {
      self.records = records
      self.failures = failures
      self.failedIDs = failedIDs
      self.rowCount = rowCount
      self.announcedCount = announcedCount
    }
  }

  /// The fingerprint that a checkpoint must have for its validators to be used.
  ///
  /// A new version of the reader has to see the rows again, even if the source says that they
  /// haven't changed.
  package let fingerprint: String
  let store: any RecordStore<Record>
  private let table: StoreTable<Record>?
  private let deletion: DeletionPolicy
  private let snapshotGuard: SnapshotGuard
  let clock: any FieldClock

  package init(
    fingerprint: String, store: any RecordStore<Record>, table: StoreTable<Record>? = nil,
    deletion: DeletionPolicy, snapshotGuard: SnapshotGuard, clock: any FieldClock
  ) {
    self.fingerprint = fingerprint
    self.store = store
    self.table = table
    self.deletion = deletion
    self.snapshotGuard = snapshotGuard
    self.clock = clock
  }

  /// Returns the validators that may be sent for the stored records.
  package func validators(of snapshot: Snapshot<Record>) -> [String: HTTPValidators] {
    guard !snapshot.isEmpty, snapshot.checkpoint?.fingerprint == fingerprint else { return [:] }
    return snapshot.checkpoint?.validators ?? [:]
  }

  /// Commits the changes.
  ///
  /// - Parameters:
  ///   - payload: The rows; `nil` if the source confirms that nothing has changed.
  ///   - attachments: Records that describe the rows. They are stored with them, but not counted.
  ///   - validators: The validators with which the response can be confirmed later.
  ///   - sourceDate: The date that the source itself states for the rows of a table.
  ///   - began: The date of the request: later changes may be missing from the rows.
  ///   - base: The checkpoint that the request was made with.
  @concurrent
  package func store(
    _ payload: Payload?, attaching attachments: [Record] = [], origin: URL?,
    validators: [String: HTTPValidators], sourceDate: Date? = nil, askedAt began: Date,
    over base: Checkpoint?, willStore: @Sendable () -> Void
  ) async throws -> RefreshReport {
    var report = RefreshReport(outcome: .unchanged, date: began)
    try await store.update(inRunFrom: base) { snapshot, changes, checkpoint in
      var next = checkpoint ?? Checkpoint()
      if let table {
        next[table: table.name] = Checkpoint.Table(
          lastSuccess: began, fingerprint: fingerprint, importDate: sourceDate)
      }
      if table?.determinesAge ?? true { next.lastSuccess = began }
      if table == nil {
        next.fingerprint = fingerprint
        next.validators = validators
      }
      checkpoint = next
      if let payload {
        let diff = try compare(payload, with: snapshot)
        changes = diff.changes
        for record in attachments where snapshot[id: record.id] != record { changes.upsert(record) }
        report = RefreshReport(
          outcome: changes.isEmpty ? .unchanged : .updated, rows: payload.rowCount,
          added: diff.added, updated: diff.updated, removed: diff.removed,
          unchanged: diff.unchanged, failures: payload.failures, origin: origin, date: began)
      } else {
        report = RefreshReport(
          outcome: .notModified, unchanged: count(in: snapshot), origin: origin, date: began)
      }
      willStore()
    }
    report.date = clock.now
    return report
  }

  private func count(in snapshot: Snapshot<Record>) -> Int {
    table.map { table in snapshot.count { table.contains($0) } } ?? snapshot.count
  }

  private func compare(
    _ payload: Payload, with snapshot: Snapshot<Record>
  ) throws -> SnapshotDiff<Record> {
    // If no row of a file can be read, it is the wrong file, whatever the deletion policy says.
    if payload.records.isEmpty, let first = payload.failures.first {
      throw FieldError(
        .malformed,
        "None of the \(payload.rowCount) rows can be read. The first: \(first)")
    }
    // Rows with an unreadable ID may be those of any stored record, so nothing is removed then.
    let isWhole = payload.failedIDs.count == payload.failures.count
    let stored = count(in: snapshot)
    if deletion != .never {
      try snapshotGuard.check(
        rows: payload.rowCount, announced: payload.announcedCount, failures: payload.failures,
        stored: stored)
    }
    let diff = SnapshotDiff(
      from: snapshot, among: table?.contains, to: payload.records,
      removesMissing: deletion != .never && isWhole, keeping: Set(payload.failedIDs))
    try snapshotGuard.check(removed: diff.removed, stored: stored)
    return diff
  }
}
