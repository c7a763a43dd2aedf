internal import FieldFoundation

/// A sync of a store or another target, or of one table of a store, with a complete set of rows: compared, guarded, and
/// committed at once.
struct SnapshotSync<Record: StoredRecord>: Sendable {
  /// The fingerprint that a checkpoint must have for its validators to be used.
  ///
  /// A new version of the reader has to see the rows again, even if the source says that they
  /// haven't changed.
  var fingerprint: String { knownFingerprint.value }
  // Only a refresh needs it, and finding the columns of a type takes a millisecond.
  private let knownFingerprint: Once<String>
  let target: any SyncTarget<Record>
  private let table: StoreTable<Record>?
  private var deletion: DeletionPolicy
  private var snapshotGuard: SnapshotGuard
  /// The rows in messages, a plural such as `rows of the animals`.
  private let rows: String
  let clock: any FieldClock

  init(
    fingerprint: @escaping @autoclosure @Sendable () -> String, target: any SyncTarget<Record>,
    table: StoreTable<Record>? = nil,
    deletion: DeletionPolicy, snapshotGuard: SnapshotGuard, clock: any FieldClock,
    named rows: String = "rows"
  ) {
    self.rows = rows
    knownFingerprint = Once(fingerprint)
    self.target = target
    self.table = table
    self.deletion = deletion
    self.snapshotGuard = snapshotGuard
    self.clock = clock
  }

  /// Returns the sync with the removals that the trigger of a refresh accepts.
  func accepting(_ trigger: RefreshTrigger) -> SnapshotSync {
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
  func validators(of content: SyncContent) -> [String: HTTPValidators] {
    let entry = entry(of: content.checkpoint)
    guard let validators = entry.validators, entry.fingerprint == fingerprint, content.count > 0,
      content.isReadable
    else { return [:] }
    return validators
  }

  /// Throws an error if a batch has a record that isn't one of the table's rows.
  func check(_ batch: Batch<Record>) throws(FieldError) {
    guard let table, let other = batch.records.first(where: { !table.contains($0) }) else { return }
    throw FieldError(
      .invalidInput,
      "The source was asked for the \(rows) and returned a record of another table: "
        + "\(other.id)".printable + ".")
  }

  /// Returns what a checkpoint says about the store, or about its table.
  private func entry(of checkpoint: Checkpoint?) -> Checkpoint.Table {
    guard let checkpoint else { return Checkpoint.Table() }
    if let table { return checkpoint[table: table.name] }
    return Checkpoint.Table(
      lastSuccess: checkpoint.lastSuccess, fingerprint: checkpoint.fingerprint,
      validators: checkpoint.validators)
  }

  /// Sets what a checkpoint says about the store, or about its table.
  private func set(_ entry: Checkpoint.Table, in checkpoint: inout Checkpoint) {
    if table?.determinesAge ?? true { checkpoint.lastSuccess = entry.lastSuccess }
    if let table {
      checkpoint[table: table.name] = entry
    } else {
      checkpoint.fingerprint = entry.fingerprint
      checkpoint.validators = entry.validators ?? [:]
    }
  }

  /// Returns what the checkpoint will say.
  ///
  /// - Parameters:
  ///   - asked: The entry when the request was made.
  ///   - stored: The current entry.
  private func entry(
    for facts: PageMetadata, askedAt began: Date, over asked: Checkpoint.Table,
    stored: Checkpoint.Table
  ) -> Checkpoint.Table {
    var entry = Checkpoint.Table(
      lastSuccess: began, fingerprint: fingerprint, importDate: facts.sourceDate,
      validators: facts.validators)
    guard facts.isNotModified else { return entry }
    entry.importDate = facts.sourceDate ?? stored.importDate
    // If another run has stored rows since the request, the source confirmed earlier ones.
    if (stored.fingerprint, stored.validators) != (asked.fingerprint, asked.validators) {
      (entry.fingerprint, entry.validators) = (stored.fingerprint, stored.validators)
    }
    return entry
  }

  /// Commits the changes.
  ///
  /// - Parameters:
  ///   - batch: The rows. Of two records with the same ID, the later one is used.
  ///   - began: The date of the request: later changes may be missing from the rows.
  ///   - base: The checkpoint that the request was made with.
  @concurrent
  func store(
    _ batch: Batch<Record>, askedAt began: Date, over base: Checkpoint?,
    willStore: @escaping @Sendable () -> Void
  ) async throws -> RefreshReport {
    let facts = batch.facts
    let (records, repeated) = batch.lastOfEach()
    let erasures = RunErasures.current
    var report = try await target.beginRun().update { transaction in
      try transaction.check(erasures, began: base)
      let content = SyncContent(
        checkpoint: transaction.checkpoint, count: try transaction.count)
      var next = content.checkpoint ?? Checkpoint()
      set(
        entry(
          for: facts, askedAt: began, over: entry(of: base),
          stored: entry(of: content.checkpoint)),
        in: &next)
      try transaction.store(next)
      let report =
        facts.isNotModified
        ? RefreshReport(
          outcome: .notModified, unchanged: content.count, origin: facts.origin, date: began)
        : try store(records, repeated, of: batch, askedAt: began, over: content, in: transaction)
      willStore()
      return report
    }
    report.date = clock.now
    return report
  }

  /// Stores the rows, and removes the records that aren't among them.
  private func store(
    _ records: [Record], _ repeated: Int, of batch: Batch<Record>, askedAt began: Date,
    over content: SyncContent, in transaction: any SyncTransaction<Record>
  ) throws -> RefreshReport {
    // If no row of a file can be read, it is the wrong file, whatever the deletion policy says.
    if records.isEmpty, let first = batch.failures.first {
      throw FieldError(
        .malformed, "None of the \(batch.facts.rowCount) rows can be read. The first: \(first)")
    }
    let diff = try SnapshotDiff(storing: records, in: transaction)
    let missing = try missingIDs(after: diff, records, of: batch, over: content, in: transaction)
    try checkGuard(batch, missing: missing, over: content)
    if batch.mayBeTruncated {
      // Nothing is removed, but if much is missing, the age of the data mustn't be that of this response.
      try snapshotGuard.check(
        removed: content.count - diff.unchanged - diff.updated, stored: content.count,
        because: "its last row is incomplete")
    }
    if !missing.isEmpty { try transaction.remove(missing) }
    var isUpdated = !diff.isEmpty || !missing.isEmpty
    // Rows that only moved are a change, too.
    if let order = table?.order?(records.map(\.id)) {
      let stored = try transaction.records([order.id])
      if stored != [order] {
        try transaction.store([order], over: stored)
        isUpdated = true
      }
    }
    return RefreshReport(
      outcome: isUpdated ? .updated : .unchanged, rows: batch.facts.rowCount, added: diff.added,
      updated: diff.updated, removed: missing.count, unchanged: diff.unchanged,
      failures: batch.failures, notices: notices(of: batch, repeated: repeated, over: content),
      origin: batch.facts.origin, date: began)
  }

  /// Returns the IDs of the stored records that aren't among the rows.
  private func missingIDs(
    after diff: SnapshotDiff, _ records: [Record], of batch: Batch<Record>,
    over content: SyncContent, in transaction: any SyncTransaction<Record>
  ) throws -> [Record.ID] {
    guard deletion != .never, batch.isWhole, content.count > diff.unchanged + diff.updated else {
      return []
    }
    try transaction.see(records.map(\.id), rows: nil)
    try transaction.see(batch.failedIDs, rows: nil)
    return try transaction.unseenIDs(limit: .max)
  }

  private func notices(
    of batch: Batch<Record>, repeated: Int, over content: SyncContent
  ) -> [RefreshReport.Notice] {
    var notices = batch.facts.notices
    if isOfAnother(content) {
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
    if let notice = batch.missingColumns?.notice { notices.append(notice) }
    return notices
  }

  /// Returns whether the stored records come from another source, or were read in another way.
  private func isOfAnother(_ content: SyncContent) -> Bool {
    guard let known = entry(of: content.checkpoint).fingerprint, known != fingerprint else {
      return false
    }
    return content.count > 0
  }

  /// Returns a reason why records of another source may be missing; `nil` if there is no other.
  private func reason(forMissingIn content: SyncContent) -> String? {
    func source(_ fingerprint: String?) -> Substring? {
      fingerprint?.split(separator: " ").last { $0.contains(bytesOf: "://") }
    }
    guard isOfAnother(content), let known = source(entry(of: content.checkpoint).fingerprint),
      let given = source(fingerprint), known != given
    else { return nil }
    return
      "they come from another source, \(Redaction.default.redact(text: String(known))). If two "
      + "catalogs share this name, give each its own; if the URL has changed, erase the catalog or "
      + "accept the removal"
  }

  /// Throws an error if the rows can't be the complete source.
  private func checkGuard(
    _ batch: Batch<Record>, missing: [Record.ID], over content: SyncContent
  ) throws(FieldError) {
    let removal = { RefusedRemoval(of: missing, stored: content.count) }
    if deletion != .never {
      try snapshotGuard.check(
        rows: batch.facts.rowCount, announced: batch.facts.announcedCount,
        failures: batch.failures, stored: content.count, removal: removal)
    }
    try snapshotGuard.check(
      removed: missing.count, stored: content.count, because: reason(forMissingIn: content),
      removal: removal)
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
