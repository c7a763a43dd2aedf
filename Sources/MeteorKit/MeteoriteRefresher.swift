internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Brings a repository up to its source: once at a time, when due, guarded, in one commit.
final class MeteoriteRefresher: Sendable {
  /// What a checkpoint must have been made by for its validators to be used: a new version of the
  /// reader has to see the rows again, even if the source says that they have not changed.
  private static let fingerprint = "meteorites/1"
  private static let adoptedTimestamp = "talula.updateTimestamp"
  private static let commitAttempts = 4

  private struct Attempts: Sendable {
    var failures = 0
    var last: Date?
  }

  private let source: any MeteoriteSource
  private let repository: any MeteoriteRepository
  private let clock: any FieldClock
  private let policy: RefreshPolicy
  private let snapshotGuard: SnapshotGuard
  private let flight = SharedFlight<RefreshReport>()
  private let broadcast = RefreshBroadcast(kit: "meteorites")
  private let attempts = Lock(Attempts())

  init(
    source: any MeteoriteSource, repository: any MeteoriteRepository, clock: any FieldClock,
    policy: RefreshPolicy, snapshotGuard: SnapshotGuard
  ) {
    self.source = source
    self.repository = repository
    self.clock = clock
    self.policy = policy
    self.snapshotGuard = snapshotGuard
  }

  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await flight.run(strength: when == .now ? 1 : 0) { [self] in
      try await run(when)
    }
  }

  func steps() -> RefreshSteps { broadcast.steps() }

  func close() {
    flight.cancel()
    broadcast.close()
  }

  func nextRefreshDate() async throws -> Date {
    let snapshot = try await repository.snapshot()
    let attempts = attempts.withLock { $0 }
    return policy.nextDate(
      lastSuccess: lastSuccess(of: snapshot), now: clock.now, failures: attempts.failures,
      lastAttempt: attempts.last)
  }

  func adopt(timestamp seconds: Int) async throws -> Bool {
    guard seconds > 0 else { return false }
    for attempt in 1... {
      let snapshot = try await repository.snapshot()
      var checkpoint = snapshot.checkpoint ?? Checkpoint()
      guard checkpoint.cursors[Self.adoptedTimestamp] == nil else { return false }
      checkpoint.cursors[Self.adoptedTimestamp] = String(seconds)
      let date = min(Date(timeIntervalSince1970: Double(seconds)), clock.now)
      checkpoint.lastSuccess = max(checkpoint.lastSuccess ?? date, date)
      do {
        try await repository.commit(
          Changes(), checkpoint: checkpoint, expecting: snapshot.revision)
        return true
      } catch let error as FieldError
        where error.code == .conflict && attempt < Self.commitAttempts
      {
        continue
      }
    }
    return false
  }

  // MARK: One run

  private func run(_ when: RefreshTrigger) async throws -> RefreshReport {
    do {
      let report = try await work(when)
      attempts.withLock { $0 = Attempts() }
      broadcast.tell(.finished, 1, outcome: .finished(report))
      return report
    } catch is CancellationError {
      broadcast.tell(.finished, 1, outcome: .cancelled)
      throw CancellationError()
    } catch {
      let wrapped = FieldError.wrapping(
        error, as: .transport, "the meteorites could not be refreshed",
        operation: "meteorites.refresh")
      attempts.withLock { attempts in
        attempts.failures += 1
        attempts.last = clock.now
      }
      if let failure = wrapped as? FieldError {
        broadcast.tell(.finished, 1, outcome: .failed(failure))
      }
      throw wrapped
    }
  }

  private func work(_ when: RefreshTrigger) async throws -> RefreshReport {
    let snapshot = try await repository.snapshot()
    guard when == .now || isDue(snapshot) else {
      return RefreshReport(outcome: .notDue, unchanged: snapshot.count, date: clock.now)
    }
    broadcast.tell(.requesting, 0.05)
    // What changes at the source from here on may not be in the answer.
    let start = clock.now
    let isOfThisReader = snapshot.checkpoint?.fingerprint == Self.fingerprint
    let delivery = try await source.fetch(
      MeteoriteRequest(
        validators: isOfThisReader && !snapshot.isEmpty
          ? snapshot.checkpoint?.validators ?? [:] : [:],
        storedCount: snapshot.count,
        snapshotGuard: snapshotGuard))
    try Task.checkCancellation()
    broadcast.tell(.reading, 0.6)
    return try await store(delivery, askedAt: start, over: snapshot)
  }

  private func isDue(_ snapshot: Snapshot<Meteorite>) -> Bool {
    let attempts = attempts.withLock { $0 }
    return policy.isDue(
      lastSuccess: lastSuccess(of: snapshot), now: clock.now, failures: attempts.failures,
      lastAttempt: attempts.last)
  }

  /// An empty store has nothing that could be young enough.
  private func lastSuccess(of snapshot: Snapshot<Meteorite>) -> Date? {
    snapshot.isEmpty ? nil : snapshot.checkpoint?.lastSuccess
  }

  /// Commits what is new; somebody else's commit meanwhile makes it compare again.
  @concurrent
  private func store(
    _ delivery: MeteoriteDelivery, askedAt start: Date, over first: Snapshot<Meteorite>
  ) async throws -> RefreshReport {
    var snapshot = first
    for attempt in 1... {
      var checkpoint = snapshot.checkpoint ?? Checkpoint()
      checkpoint.lastSuccess = start
      checkpoint.fingerprint = Self.fingerprint
      checkpoint.validators = delivery.validators
      let (changes, compared) = try compare(delivery, with: snapshot)
      try Task.checkCancellation()
      broadcast.tell(.storing, 0.9)
      do {
        try await repository.commit(
          changes, checkpoint: checkpoint, expecting: snapshot.revision)
        var report = compared
        report.date = clock.now
        return report
      } catch let error as FieldError
        where error.code == .conflict && attempt < Self.commitAttempts
      {
        snapshot = try await repository.snapshot()
      }
    }
    throw FieldError(.conflict, "the store kept changing while the meteorites were refreshed")
  }

  private func compare(
    _ delivery: MeteoriteDelivery, with snapshot: Snapshot<Meteorite>
  ) throws -> (Changes<Meteorite>, RefreshReport) {
    guard let rows = delivery.rows else {
      let report = RefreshReport(
        outcome: .notModified, unchanged: snapshot.count, origin: delivery.origin, date: clock.now)
      return (Changes(), report)
    }
    try rejectUnreadable(rows)
    // Rows whose key cannot be read may be those of any stored meteorite: nothing is removed then.
    let failedKeys = rows.failures.compactMap(\.key)
    let isWhole = failedKeys.count == rows.failures.count
    let removesMissing = source.deletion == .bySnapshot
    if removesMissing { try rows.check(snapshotGuard, stored: snapshot.count) }
    let diff = SnapshotDiff(
      from: snapshot, to: rows.meteorites, removesMissing: removesMissing && isWhole,
      keeping: Set(failedKeys.map(Meteorite.ID.init(rawValue:))))
    try snapshotGuard.check(vanished: diff.removed, stored: snapshot.count)
    let report = RefreshReport(
      outcome: diff.changes.isEmpty ? .unchanged : .updated,
      rows: rows.count, added: diff.added, updated: diff.updated, removed: diff.removed,
      unchanged: diff.unchanged, failures: rows.failures, origin: delivery.origin,
      date: clock.now)
    return (diff.changes, report)
  }

  /// A file of which no row can be read is a wrong file, whatever the deletion policy says.
  private func rejectUnreadable(_ rows: MeteoriteRows) throws {
    guard rows.meteorites.isEmpty, let first = rows.failures.first else { return }
    throw FieldError(
      .malformed,
      "none of the \(rows.count) rows can be read as a meteorite; the first: \(first)")
  }
}
