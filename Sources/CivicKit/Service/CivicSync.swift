internal import FieldCore
internal import FieldFoundation

/// Brings the tables up to a server: all of them in one commit, with their cursors.
///
/// When one table fails, nothing of the run is stored: links without their units, or units without their
/// categories, would be a directory that never was.
struct CivicSync: Sendable {
  let source: any CivicSource
  let repository: any CivicRepository
  let clock: any FieldClock
  let areaCode: String
  let zone: FixedZone

  private struct Rows {
    let table: CivicTable
    let cursor: Int
    let rows: [JSONValue]
  }

  /// That other rows came, by another directory of the store perhaps, while the server was asked.
  private struct Overtaken: Error {}

  /// How often the server is asked when each time somebody else has stored something meanwhile.
  private static let attempts = 4

  /// The tables as a part of the directory's refresh, whose statuses are sent.
  func part(policy: RefreshPolicy, statuses: Broadcast<CivicSyncStatus>) -> RefreshPart {
    RefreshPart("tables", policy: policy) {
      let checkpoint = try await repository.snapshot().checkpoint
      return RefreshPart.Status(
        lastSuccess: checkpoint?.lastSuccess,
        isComplete: checkpoint?.lastSuccess != nil && checkpoint?.fingerprint == source.fingerprint)
    } work: { progress in
      statuses.send(.started)
      do {
        let report = try await run(progress)
        statuses.send(.done(report))
        return report
      } catch {
        // What the source throws is wrapped there; the rest is of the repository.
        let wrapped = FieldError.wrapping(error, as: .io, "The tables can't be stored.")
        statuses.send(CivicSyncStatus(wrapped))
        throw wrapped
      }
    }
  }

  @concurrent
  private func run(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    for _ in 1..<Self.attempts {
      do {
        return try await attempt(progress)
      } catch is Overtaken {
        // What came was asked for with cursors of before, and may be older than what is stored now.
        continue
      }
    }
    do {
      return try await attempt(progress)
    } catch is Overtaken {
      throw FieldError(
        .conflict, "the directory was filled by somebody else each time that it was refreshed")
    }
  }

  private func attempt(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    let began = clock.now
    let before = try await repository.snapshot()
    let known = cursors(of: before.checkpoint)
    var deliveries: [Rows] = []
    var origin: URL?
    for (number, table) in source.tables.enumerated() {
      try Task.checkCancellation()
      progress.send(
        .requesting, 0.05 + 0.75 * Double(number) / Double(max(1, source.tables.count)),
        rows: deliveries.reduce(0) { $0 + $1.rows.count })
      let cursor = known[table] ?? 0
      let delivery = try await FieldError.wrapping(
        "The table \(table) can't be fetched.", as: .transport, operation: "civic.table"
      ) {
        let delivery = try await source.fetch(table, changedSince: cursor)
        let rows = try CivicAnswer.rows(ofAnswer: [UInt8](delivery.json), for: table)
        return (rows: rows, origin: delivery.origin)
      }
      origin = delivery.origin ?? origin
      deliveries.append(Rows(table: table, cursor: cursor, rows: delivery.rows))
    }
    progress.send(.storing, 0.9)
    return try await store(deliveries, over: before.checkpoint, began: began, origin: origin)
  }

  private func store(
    _ deliveries: [Rows], over asked: Checkpoint?, began: Date, origin: URL?
  ) async throws -> RefreshReport {
    var report = RefreshReport(outcome: .unchanged, origin: origin, date: began)
    // What was on its way when all was erased or restored is not stored: behind cursors that are gone,
    // the rows before them would be missing for ever.
    try await repository.update(inRunFrom: asked) { snapshot, changes, checkpoint in
      guard cursors(of: checkpoint) == cursors(of: asked) else { throw Overtaken() }
      var edit = CivicEdit(of: snapshot)
      var next = checkpoint ?? Checkpoint()
      report = RefreshReport(outcome: .unchanged, origin: origin, date: clock.now)
      for delivery in deliveries {
        let outcome = try edit.apply(
          delivery.rows, to: delivery.table,
          rules: CivicRowRules(
            areaCode: areaCode, zone: zone, cursor: delivery.cursor > 0 ? delivery.cursor : nil,
            now: clock.now))
        report.add(outcome)
        let cursor = max(delivery.cursor, outcome.newest ?? 0)
        next.cursors[CivicCursors.key(delivery.table)] = String(cursor)
      }
      report.add(edit.tally())
      changes = edit.changes()
      next.fingerprint = source.fingerprint
      next.lastSuccess = began
      checkpoint = next
    }
    return report
  }

  /// The cursors of the service's tables; none when they were made by another server.
  private func cursors(of checkpoint: Checkpoint?) -> [CivicTable: Int] {
    guard let checkpoint,
      checkpoint.fingerprint == nil || checkpoint.fingerprint == source.fingerprint
    else { return [:] }
    return CivicCursors.cursors(of: source.tables, in: checkpoint)
  }
}

/// Where the cursors of the tables are in a checkpoint, apart from the rows: what a deletion or a row that
/// is local takes out of a table does not move them.
enum CivicCursors {
  static func key(_ table: CivicTable) -> String { "table.\(table.rawValue)" }

  static func cursors(of tables: [CivicTable], in checkpoint: Checkpoint) -> [CivicTable: Int] {
    var cursors: [CivicTable: Int] = [:]
    for table in tables { cursors[table] = checkpoint.cursors[key(table)].flatMap { Int($0) } }
    return cursors
  }

  /// The second of a change, unless it lies more than a day ahead: behind one from the far future nothing
  /// would ever come again. A device whose clock is behind asks for more than it needs.
  static func plausible(_ seconds: Int?, now: Date) -> Int? {
    guard let seconds, Double(seconds) <= now.timeIntervalSince1970 + 86_400 else { return nil }
    return seconds
  }
}

extension RefreshReport {
  mutating func add(_ outcome: CivicRowsOutcome) {
    rows += outcome.rows
    add(outcome.failures)
  }

  mutating func add(_ tally: CivicEdit.Tally) {
    added += tally.added
    updated += tally.updated
    removed += tally.removed
    unchanged += tally.unchanged
    if added + updated + removed > 0 { outcome = .updated }
  }
}
