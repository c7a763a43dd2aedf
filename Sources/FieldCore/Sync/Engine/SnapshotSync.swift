package import FieldFoundation

/// A sync of a store, or of one table of it, with a complete set of rows: compared, guarded, and
/// committed at once.
package struct SnapshotSync<Record: StoredRecord>: Sendable {
  /// The fingerprint that a checkpoint must have for its validators to be used.
  ///
  /// A new version of the reader has to see the rows again, even if the source says that they
  /// haven't changed.
  package var fingerprint: String { knownFingerprint.value }
  // Only a refresh needs it, and finding the columns of a type takes a millisecond.
  private let knownFingerprint: Once<String>
  let store: any RecordStore<Record>
  private let table: StoreTable<Record>?
  private var deletion: DeletionPolicy
  private var snapshotGuard: SnapshotGuard
  /// The rows in messages, a plural such as `rows of the animals`.
  private let rows: String
  let clock: any FieldClock

  package init(
    fingerprint: @escaping @autoclosure @Sendable () -> String, store: any RecordStore<Record>,
    table: StoreTable<Record>? = nil,
    deletion: DeletionPolicy, snapshotGuard: SnapshotGuard, clock: any FieldClock,
    named rows: String = "rows"
  ) {
    self.rows = rows
    knownFingerprint = Once(fingerprint)
    self.store = store
    self.table = table
    self.deletion = deletion
    self.snapshotGuard = snapshotGuard
    self.clock = clock
  }

  /// Returns the sync with the removals that the trigger of a refresh accepts.
  package func accepting(_ trigger: RefreshTrigger) -> SnapshotSync {
    var accepting = self
    accepting.snapshotGuard = snapshotGuard.accepting(trigger)
    return accepting
  }

  /// Returns the sync with another policy for records that aren't among the rows.
  func removing(by deletion: DeletionPolicy) -> SnapshotSync {
    var removing = self
    removing.deletion = deletion
    return removing
  }

  /// Returns the validators that may be sent for the stored records.
  package func validators(of snapshot: Snapshot<Record>) -> [String: HTTPValidators] {
    guard !snapshot.isEmpty, snapshot.checkpoint?.fingerprint == fingerprint else { return [:] }
    return snapshot.checkpoint?.validators ?? [:]
  }

  /// Commits the changes.
  ///
  /// - Parameters:
  ///   - batch: The rows. Of two records with the same ID, the later one is used.
  ///   - attachments: Records that describe the rows. They are stored with them, but not counted.
  ///   - began: The date of the request: later changes may be missing from the rows.
  ///   - base: The checkpoint that the request was made with.
  @concurrent
  package func store(
    _ batch: Batch<Record>, attaching attachments: [Record] = [], askedAt began: Date,
    over base: Checkpoint?, willStore: @Sendable () -> Void
  ) async throws -> RefreshReport {
    let facts = batch.facts
    let (records, repeated) = batch.lastOfEach()
    var report = RefreshReport(outcome: .unchanged, date: began)
    try await store.update(inRunFrom: base) { snapshot, changes, checkpoint in
      var next = checkpoint ?? Checkpoint()
      if let table {
        next[table: table.name] = Checkpoint.Table(
          lastSuccess: began, fingerprint: fingerprint, importDate: facts.sourceDate)
      }
      if table?.determinesAge ?? true { next.lastSuccess = began }
      if table == nil {
        next.fingerprint = fingerprint
        next.validators = facts.validators
      }
      checkpoint = next
      if facts.isNotModified {
        report = RefreshReport(
          outcome: .notModified, unchanged: count(in: snapshot), origin: facts.origin, date: began)
      } else {
        let diff = try compare(records, of: batch, with: snapshot)
        changes = diff.changes
        for record in attachments where snapshot[id: record.id] != record { changes.upsert(record) }
        report = RefreshReport(
          outcome: changes.isEmpty ? .unchanged : .updated, rows: facts.rowCount,
          added: diff.added, updated: diff.updated, removed: diff.removed,
          unchanged: diff.unchanged, failures: batch.failures,
          notices: notices(of: batch, repeated: repeated, over: snapshot), origin: facts.origin,
          date: began)
      }
      willStore()
    }
    report.date = clock.now
    return report
  }

  private func count(in snapshot: Snapshot<Record>) -> Int {
    table.map { table in snapshot.count { table.contains($0) } } ?? snapshot.count
  }

  private func notices(
    of batch: Batch<Record>, repeated: Int, over snapshot: Snapshot<Record>
  ) -> [RefreshReport.Notice] {
    var notices = batch.facts.notices
    if isOfAnother(snapshot) {
      notices.append(
        RefreshReport.Notice(
          .startedAnew,
          "The stored records come from another source or reading, so all rows were read."))
    }
    if deletion != .never, !batch.isWhole, let first = batch.failures.first {
      notices.append(
        RefreshReport.Notice(
          .removalSkipped,
          "Nothing was removed, because \(batch.failures.count) of \(batch.facts.rowCount) \(rows) can't "
            + "be read and may belong to any stored record. The first: \(first). A row whose ID can "
            + "be read keeps only its own record."))
    }
    if let notice = RefreshReport.Notice.repeatedIDs(repeated, of: rows) { notices.append(notice) }
    if let notice = batch.unreadable?.notice { notices.append(notice) }
    return notices
  }

  /// Returns whether the stored records come from another source, or were read in another way.
  private func isOfAnother(_ snapshot: Snapshot<Record>) -> Bool {
    guard table == nil, !snapshot.isEmpty, let known = snapshot.checkpoint?.fingerprint else {
      return false
    }
    return known != fingerprint
  }

  /// Returns a reason why records of another source may be missing; `nil` if there is no other.
  private func reason(forMissing snapshot: Snapshot<Record>) -> String? {
    func source(_ fingerprint: String?) -> Substring? {
      fingerprint?.split(separator: " ").last { $0.contains(bytesOf: "://") }
    }
    guard isOfAnother(snapshot), let known = source(snapshot.checkpoint?.fingerprint),
      let given = source(fingerprint), known != given
    else { return nil }
    return
      "they come from another source, \(Redaction.default.redact(text: String(known))). If two "
      + "catalogs share this name, give each its own; if the URL has changed, erase the catalog or "
      + "accept the removal"
  }

  private func compare(
    _ records: [Record], of batch: Batch<Record>, with snapshot: Snapshot<Record>
  ) throws -> SnapshotDiff<Record> {
    let rowCount = batch.facts.rowCount
    // If no row of a file can be read, it is the wrong file, whatever the deletion policy says.
    if records.isEmpty, let first = batch.failures.first {
      throw FieldError(
        .malformed, "None of the \(rowCount) rows can be read. The first: \(first)")
    }
    let stored = count(in: snapshot)
    let diff = SnapshotDiff(
      from: snapshot, among: table?.contains, to: records,
      removesMissing: deletion != .never && batch.isWhole, keeping: Set(batch.failedIDs))
    let removal = { RefusedRemoval(of: diff.removedIDs, stored: stored) }
    if deletion != .never {
      try snapshotGuard.check(
        rows: rowCount, announced: batch.facts.announcedCount, failures: batch.failures,
        stored: stored, removal: removal)
    }
    try snapshotGuard.check(
      removed: diff.removed, stored: stored, because: reason(forMissing: snapshot), removal: removal
    )
    return diff
  }
}

extension StoredRecord {
  /// Returns the fingerprint of checkpoints whose records are read from these columns and stored in
  /// the current format.
  ///
  /// A version of an app that reads one column more has to see the rows again, even if the source says
  /// that they haven't changed.
  ///
  /// - Parameters:
  ///   - source: A text that identifies the source.
  ///   - columns: The columns.
  ///   - form: How a `Decodable` record reads their cells.
  package static func fingerprint(
    _ source: String, columns: [RowColumn], form: String = ""
  ) -> String {
    var text = source
    if formatVersion > 1 { text += " v\(formatVersion)" }
    guard !columns.isEmpty else { return text }
    let list = columns.map { $0.names.joined(separator: "\t") }.joined(separator: "\n")
    let names = Array((form.isEmpty ? list : list + "\n" + form).utf8)
    return text + " " + String(CRC32C.checksum(names, 0..<names.count), radix: 16)
  }
}
