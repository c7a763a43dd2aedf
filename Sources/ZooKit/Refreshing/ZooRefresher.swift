internal import FieldCore
internal import FieldFoundation

/// Brings the zoo's store up to its source, a table at a time.
///
/// Each table has an age of its own and fails for itself: one that cannot be had keeps what it has and
/// is due again, while the others are stored.
final class ZooRefresher: Sendable {
  private struct Attempts: Sendable {
    var failures = 0
    var last: Date?
  }

  private struct State: Sendable {
    var attempts: [ZooTable: Attempts] = [:]
    var erasures = 0
  }

  private let source: any ZooSource
  private let repository: any ZooRepository
  private let clock: any FieldClock
  private let policy: RefreshPolicy
  private let snapshotGuard: SnapshotGuard
  private let flight = RefreshFlight(kit: "zoo")
  private let state = Lock(State())
  /// Lets either a table be stored or all be erased, never one in the middle of the other.
  private let writing = Turnstile()

  init(
    source: any ZooSource, repository: any ZooRepository, clock: any FieldClock,
    policy: RefreshPolicy, snapshotGuard: SnapshotGuard
  ) {
    self.source = source
    self.repository = repository
    self.clock = clock
    self.policy = policy
    self.snapshotGuard = snapshotGuard
  }

  /// The table that the zoo's age is that of, and whose failure is the refresh's.
  private var mainTable: ZooTable? {
    source.tables.contains(.animals) ? .animals : source.tables.first
  }

  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await flight.run(strength: when == .now ? 1 : 0, onFailure: { _ in }) {
      [self] broadcast in
      try await run(when, telling: broadcast)
    }
  }

  func steps() -> RefreshSteps { flight.steps() }

  func close() { flight.close() }

  /// Forgets all tables, and that attempts have failed. A refresh in flight stores nothing any more.
  func eraseAll() async throws {
    try await writing.pass {
      var changes = Changes<ZooRecord>()
      changes.removeAll()
      try await repository.commit(changes, checkpoint: Checkpoint(), expecting: nil)
      state.withLock { state in
        state.erasures += 1
        state.attempts = [:]
      }
    }
  }

  /// When the next refresh is due: the earliest of the tables.
  func nextRefreshDate() async throws -> Date {
    let snapshot = try await repository.snapshot()
    return source.tables.map { nextDate(of: $0, in: snapshot) }.min() ?? .distantFuture
  }

  private func nextDate(of table: ZooTable, in snapshot: Snapshot<ZooRecord>) -> Date {
    let entry = ZooLedger(snapshot.checkpoint)[table]
    let attempts = state.withLock { $0.attempts[table] } ?? Attempts()
    return policy.nextDate(
      lastSuccess: entry.fingerprint == ZooTableSync.fingerprint ? entry.lastSuccess : nil,
      now: clock.now, failures: attempts.failures, lastAttempt: attempts.last)
  }

  // MARK: One run

  private func run(
    _ when: RefreshTrigger, telling broadcast: RefreshBroadcast
  ) async throws -> RefreshReport {
    let erasures = state.withLock(\.erasures)
    let snapshot = try await repository.snapshot()
    let tables = source.tables.filter {
      when == .now || nextDate(of: $0, in: snapshot) <= clock.now
    }
    let rows = snapshot.count { $0.id.key != nil }
    var total = RefreshReport(outcome: .notDue, unchanged: rows, date: clock.now)
    guard !tables.isEmpty else { return total }
    total = RefreshReport(outcome: .unchanged, date: clock.now)
    var failures: [(table: ZooTable, error: FieldError)] = []
    for (index, table) in tables.enumerated() {
      let progress = Progress(done: index, of: tables.count, broadcast: broadcast)
      do {
        total.add(
          try await bringUp(table, progress, after: erasures), isMain: table == mainTable)
        state.withLock { $0.attempts[table] = nil }
      } catch {
        failures.append((table, try note(error, of: table, after: erasures)))
      }
    }
    total.date = clock.now
    return try settle(total, failures, of: tables)
  }

  /// Throws when all has been erased since a run began.
  private func checkErasures(_ erasures: Int) throws(FieldError) {
    guard state.withLock(\.erasures) == erasures else {
      throw FieldError(
        .conflict, "the zoo's data was erased while new data was on its way; refresh once more",
        operation: "zoo.refresh")
    }
  }

  private func bringUp(
    _ table: ZooTable, _ progress: Progress, after erasures: Int
  ) async throws -> RefreshReport {
    try checkErasures(erasures)
    progress.tell(.requesting, 0.05)
    // What changes at the source from here on may not be in the answer.
    let began = clock.now
    let delivery = try await source.read(table)
    try Task.checkCancellation()
    progress.tell(.reading, 0.7)
    var snapshotGuard = snapshotGuard
    // Events pass: those of last winter are no reason to refuse those of today.
    if table == .events { snapshotGuard.vanishedLimit = 1 }
    let sync = ZooTableSync(
      repository: repository, table: table, isMain: table == mainTable,
      snapshotGuard: snapshotGuard, clock: clock)
    return try await writing.pass {
      try checkErasures(erasures)
      return try await sync.store(delivery, askedAt: began) { progress.tell(.storing, 0.9) }
    }
  }

  /// Takes down that a table has failed; a cancellation is thrown on.
  private func note(
    _ error: any Error, of table: ZooTable, after erasures: Int
  ) throws -> FieldError {
    let wrapped = FieldError.wrapping(
      error, as: .transport, "the \(table.rawValue) cannot be refreshed",
      operation: "zoo.\(table.rawValue)")
    guard let failure = wrapped as? FieldError else { throw wrapped }
    // That all was erased ends the run, and is no failure of the source to wait after.
    try checkErasures(erasures)
    state.withLock { state in
      state.attempts[table, default: Attempts()].failures += 1
      state.attempts[table]?.last = clock.now
    }
    return failure
  }

  /// Throws what went wrong with the main table, or with all of them; else it becomes notices.
  private func settle(
    _ report: RefreshReport, _ failures: [(table: ZooTable, error: FieldError)],
    of tables: [ZooTable]
  ) throws -> RefreshReport {
    let main = failures.first { $0.table == mainTable }
    let all = failures.count == tables.count ? failures.first : nil
    if let (_, error) = main ?? all {
      var error = error
      for other in failures where other.table != (main ?? all)?.table {
        error.problems.append("\(other.table.rawValue): \(other.error)")
      }
      throw error
    }
    var report = report
    for (table, error) in failures {
      report.notices.append(
        RefreshReport.Notice(
          .tableFailed, "the \(table.rawValue) are as they were, and are due again: \(error)"))
    }
    return report
  }
}

/// A table's part of the way.
private struct Progress: Sendable {
  var done: Int
  var of: Int
  var broadcast: RefreshBroadcast

  init(done: Int, of count: Int, broadcast: RefreshBroadcast) {
    self.done = done
    of = count
    self.broadcast = broadcast
  }

  func tell(_ phase: RefreshProgress.Phase, _ fraction: Double) {
    broadcast.tell(phase, (Double(done) + fraction) / Double(of))
  }
}

extension RefreshReport {
  /// Adds what came of one table; the address is that of the main one.
  fileprivate mutating func add(_ table: RefreshReport, isMain: Bool) {
    if table.outcome == .updated { outcome = .updated }
    addCounts(of: table)
    if isMain || origin == nil { origin = table.origin }
  }
}
