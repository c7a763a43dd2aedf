internal import FieldCore
internal import FieldFoundation

/// A sync of all tables with a server in one commit, together with their cursors.
///
/// If one table fails, nothing is stored. Links without their units, or units without their
/// categories, would be a state that the directory never had.
struct CivicSync: Sendable {
  let server: CivicServer
  let repository: any CivicRepository
  let clock: any FieldClock
  let options: CivicOptions

  private struct Rows {
    let table: CivicTable
    let cursor: Int64
    let rows: [JSONValue]
  }

  /// An error that indicates that the store changed, perhaps through another directory, during the
  /// requests.
  private struct Overtaken: Error {}

  /// The number of attempts if the store changes during each of them.
  private static let attempts = 4

  /// The origin of the cursors, the version of the reader, and the format of the records.
  private var fingerprint: String { CivicRecord.fingerprint(server.fingerprint, columns: []) }

  private var tables: [CivicTable] { server.service.tables }

  /// The tables as a part of the directory's refresh.
  var part: RefreshPart {
    RefreshPart("tables", policy: options.policy) {
      let checkpoint = try await repository.snapshot().checkpoint
      return RefreshPart.Status(
        lastSuccess: checkpoint?.lastSuccess,
        isComplete: checkpoint?.lastSuccess != nil && checkpoint?.fingerprint == fingerprint)
    } work: { progress in
      // Errors of the source are already wrapped; the rest come from the repository.
      try await FieldError.wrapping("The tables can't be stored.") { try await run(progress) }
    }
  }

  @concurrent
  private func run(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    for _ in 1...Self.attempts {
      do {
        return try await attempt(progress)
      } catch is Overtaken {
        // The responses were requested with earlier cursors and may be older than the stored rows.
        continue
      }
    }
    throw FieldError(
      .conflict, "The directory was changed during every attempt to refresh it. Refresh again.")
  }

  private func attempt(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    let began = clock.now
    let before = try await repository.snapshot()
    let known = cursors(of: before.checkpoint)
    var batches: [Rows] = []
    var origin: URL?
    for (number, table) in tables.enumerated() {
      try Task.checkCancellation()
      progress.send(
        .requesting, 0.05 + 0.75 * Double(number) / Double(max(1, tables.count)),
        rows: batches.reduce(0) { $0 + $1.rows.count })
      let cursor = known[table] ?? 0
      try await FieldError.wrapping(
        "The table \(table) can't be fetched.", as: .transport, operation: "civic.table"
      ) {
        let answer = try await server.fetch(table, changedSince: cursor)
        origin = answer.origin
        batches.append(Rows(table: table, cursor: cursor, rows: answer.rows))
      }
    }
    progress.send(.storing, 0.9)
    return try await store(batches, over: before.checkpoint, began: began, origin: origin)
  }

  private func store(
    _ batches: [Rows], over asked: Checkpoint?, began: Date, origin: URL?
  ) async throws -> RefreshReport {
    var report = RefreshReport(outcome: .unchanged, origin: origin, date: began)
    // Responses to requests from before an erasure or a restore aren't stored: their cursors are
    // gone, so earlier rows would be missing forever.
    try await repository.update(inRunFrom: asked) { snapshot, changes, checkpoint in
      guard cursors(of: checkpoint) == cursors(of: asked) else { throw Overtaken() }
      var edit = CivicEdit(of: snapshot)
      var next = checkpoint ?? Checkpoint()
      report = RefreshReport(outcome: .unchanged, origin: origin, date: clock.now)
      for batch in batches {
        let outcome = try edit.apply(
          batch.rows, to: batch.table,
          rules: CivicRowRules(
            areaCode: options.areaCode, zone: options.zone,
            cursor: batch.cursor > 0 ? batch.cursor : nil, now: clock.now))
        report.add(outcome)
        next[batch.table] = max(batch.cursor, outcome.newest ?? 0)
      }
      edit.tally(in: &report)
      changes = edit.changes()
      next.fingerprint = fingerprint
      next.lastSuccess = began
      checkpoint = next
    }
    return report
  }

  /// Returns the cursors of the service's tables; none if another server made them.
  private func cursors(of checkpoint: Checkpoint?) -> [CivicTable: Int64] {
    guard let checkpoint,
      checkpoint.fingerprint == nil || checkpoint.fingerprint == fingerprint
    else { return [:] }
    return tables.reduce(into: [:]) { $0[$1] = checkpoint[$1] }
  }
}

extension Checkpoint {
  /// The cursor of a table, which is stored apart from the rows, so that deleted and local rows
  /// don't move it.
  subscript(table: CivicTable) -> Int64? {
    get { cursors["table.\(table.rawValue)"].flatMap { Int64($0) } }
    set { cursors["table.\(table.rawValue)"] = newValue.map { String($0) } }
  }
}

extension RefreshReport {
  mutating func add(_ outcome: CivicRowsOutcome) {
    rows += outcome.rows
    add(outcome.failures)
  }
}
