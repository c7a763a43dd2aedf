package import FieldFoundation

/// Refreshes a store: one run at a time for all callers, when it is due, with its steps told.
///
/// What a run does is a closure, so that a kit can fetch a file, drive a ``SyncEngine`` or do both.
package final class RecordRefresher<Record: StoredRecord>: Sendable {
  /// Does one run over the store's content.
  package typealias Work =
    @Sendable (_ snapshot: Snapshot<Record>, _ broadcast: RefreshBroadcast) async throws ->
    RefreshReport

  private struct Attempts: Sendable {
    var failures = 0
    var last: Date?
  }

  private let target: SyncTarget<Record>
  private let clock: any FieldClock
  private let policy: RefreshPolicy
  private let fingerprint: String?
  private let work: Work
  private let flight: RefreshFlight
  private let attempts = Lock(Attempts())

  /// Makes a refresher.
  ///
  /// - Parameters:
  ///   - kit: The name of the kit, in progress and errors.
  ///   - fingerprint: What a checkpoint is made by; what is stored by another one is due.
  ///   - work: Does one run.
  package init(
    kit: String, target: SyncTarget<Record>, clock: any FieldClock, policy: RefreshPolicy,
    fingerprint: String? = nil, work: @escaping Work
  ) {
    self.target = target
    self.clock = clock
    self.policy = policy
    self.fingerprint = fingerprint
    self.work = work
    flight = RefreshFlight(kit: kit)
  }

  /// Refreshes, or joins the run in flight.
  package func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await flight.run(
      strength: when == .now ? 1 : 0, onFailure: { [self] _ in noteFailure() }
    ) { [self] broadcast in
      try await run(when, telling: broadcast)
    }
  }

  /// The steps of all runs from now on.
  package func steps() -> RefreshSteps { flight.steps() }

  /// Cancels the run in flight, and ends the steps.
  package func close() { flight.close() }

  /// When the next run is due.
  package func nextRefreshDate() async throws -> Date {
    nextDate(of: try await target.snapshot())
  }

  private func run(
    _ when: RefreshTrigger, telling broadcast: RefreshBroadcast
  ) async throws -> RefreshReport {
    let snapshot = try await target.snapshot()
    guard when == .now || nextDate(of: snapshot) <= clock.now else {
      return RefreshReport(outcome: .notDue, unchanged: snapshot.count, date: clock.now)
    }
    broadcast.tell(.requesting, 0.05)
    let report = try await work(snapshot, broadcast)
    // A source without rows leaves nothing behind that could be young enough; it is asked again soon,
    // but not at every turn.
    if try await target.snapshot().isEmpty {
      noteFailure()
    } else {
      attempts.withLock { $0 = Attempts() }
    }
    return report
  }

  private func noteFailure() {
    attempts.withLock { attempts in
      attempts.failures += 1
      attempts.last = clock.now
    }
  }

  private func nextDate(of snapshot: Snapshot<Record>) -> Date {
    let attempts = attempts.withLock { $0 }
    return policy.nextDate(
      lastSuccess: isWhole(snapshot) ? snapshot.checkpoint?.lastSuccess : nil, now: clock.now,
      failures: attempts.failures, lastAttempt: attempts.last)
  }

  /// Whether the store has what a run would give: an empty one has nothing that could be young enough,
  /// nor has one that is half way or was filled by another source.
  private func isWhole(_ snapshot: Snapshot<Record>) -> Bool {
    guard !snapshot.isEmpty, !SyncCursor.isUnfinished(snapshot.checkpoint) else { return false }
    guard let fingerprint, let stored = snapshot.checkpoint?.fingerprint else { return true }
    return stored == fingerprint
  }
}
