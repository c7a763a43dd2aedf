package import FieldFoundation

/// A sync of a store, or of one table of it, with a complete set of rows: compared, guarded, and
/// committed at once.
package struct SnapshotSync<Record: StoredRecord>: Sendable {
  /// A complete set of rows.
  package struct Payload: Sendable {
    /// The records, with each ID once.
    package var records: [Record]
    /// The number of rows that repeated an ID, so that an earlier one isn't among the records.
    package var repeatedIDs = 0
    /// The rows that couldn't be used.
    package var failures: [RowFailure]
    /// The IDs of the failed rows, if they could be read.
    package var failedIDs: [Record.ID]
    /// The number of rows, including failed ones.
    package var rowCount: Int
    /// The number of rows that the source states.
    package var announcedCount: Int?
    /// The values in the rows that the records lack, because they can't be read.
    var unreadable: UnreadableCells?

    package init(
      records: [Record], failures: [RowFailure], failedIDs: [Record.ID], rowCount: Int,
      announcedCount: Int?, repeatedIDs: Int = 0
    ) {
      self.records = records
      self.repeatedIDs = repeatedIDs
      self.failures = failures
      self.failedIDs = failedIDs
      self.rowCount = rowCount
      self.announcedCount = announcedCount
    }

    /// Creates the rows of a source that has only one page.
    init(_ page: RecordPage<Record>) {
      var last: [Record.ID: Int] = Dictionary(minimumCapacity: page.records.count)
      for (place, record) in page.records.enumerated() { last[record.id] = place }
      let records =
        last.count == page.records.count
        ? page.records
        : page.records.map(\.id).uniqued().compactMap { id in last[id].map { page.records[$0] } }
      self.init(
        records: records, failures: page.failures, failedIDs: page.failedIDs,
        rowCount: page.facts.rowCount, announcedCount: page.facts.announcedCount,
        repeatedIDs: page.records.count - records.count)
      unreadable = page.unreadable
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
  private var snapshotGuard: SnapshotGuard
  /// The rows in messages, a plural such as `rows of the animals`.
  private let rows: String
  let clock: any FieldClock

  package init(
    fingerprint: String, store: any RecordStore<Record>, table: StoreTable<Record>? = nil,
    deletion: DeletionPolicy, snapshotGuard: SnapshotGuard, clock: any FieldClock,
    named rows: String = "rows"
  ) {
    self.rows = rows
    self.fingerprint = fingerprint
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
          unchanged: diff.unchanged, failures: payload.failures,
          notices: notices(of: payload, over: snapshot), origin: origin, date: began)
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

  private func notices(
    of payload: Payload, over snapshot: Snapshot<Record>
  ) -> [RefreshReport.Notice] {
    var notices: [RefreshReport.Notice] = []
    if isOfAnother(snapshot) {
      notices.append(
        RefreshReport.Notice(
          .startedAnew,
          "The stored records come from another source or reading, so all rows were read."))
    }
    if deletion != .never, !payload.isWhole, let first = payload.failures.first {
      notices.append(
        RefreshReport.Notice(
          .removalSkipped,
          "Nothing was removed, because \(payload.failures.count) of \(payload.rowCount) \(rows) can't "
            + "be read and may belong to any stored record. The first: \(first). A row whose ID can "
            + "be read keeps only its own record."))
    }
    if payload.repeatedIDs > 0 {
      notices.append(
        RefreshReport.Notice(
          .repeatedIDs,
          "\(payload.repeatedIDs) \(rows) repeated an earlier ID. The last row with each ID was used."
        ))
    }
    if let notice = payload.unreadable?.notice { notices.append(notice) }
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
    func source(_ fingerprint: String?) -> Substring? { fingerprint?.split(separator: " ").last }
    guard isOfAnother(snapshot), let known = source(snapshot.checkpoint?.fingerprint),
      known != source(fingerprint)
    else { return nil }
    return
      "they come from another source, \(Redaction.default.redact(text: String(known))). If two "
      + "catalogs share this name, give each its own; if the URL has changed, erase the catalog or "
      + "accept the removal"
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
    let stored = count(in: snapshot)
    let diff = SnapshotDiff(
      from: snapshot, among: table?.contains, to: payload.records,
      removesMissing: deletion != .never && payload.isWhole, keeping: Set(payload.failedIDs))
    let removal = { RefusedRemoval(of: diff.removedIDs, stored: stored) }
    if deletion != .never {
      try snapshotGuard.check(
        rows: payload.rowCount, announced: payload.announcedCount, failures: payload.failures,
        stored: stored, removal: removal)
    }
    try snapshotGuard.check(
      removed: diff.removed, stored: stored, because: reason(forMissing: snapshot), removal: removal
    )
    return diff
  }
}

extension SnapshotSync.Payload {
  /// A Boolean value that indicates whether the IDs of all rows are known.
  ///
  /// Rows with an unreadable ID may be those of any stored record, so nothing is removed then.
  fileprivate var isWhole: Bool { failedIDs.count == failures.count }
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
