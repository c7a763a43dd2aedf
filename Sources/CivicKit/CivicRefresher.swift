internal import FieldCore
internal import FieldFoundation

/// Refreshes a directory: the tables from their server, when there is one, and the feeds.
final class CivicRefresher: Sendable {
  typealias Part = @Sendable (RefreshTrigger) async throws -> RefreshReport

  private struct Attempts: Sendable {
    var failures = 0
    var last: Date?
  }

  private let sync: CivicSync?
  private let refreshFeeds: Part
  private let policy: RefreshPolicy
  private let clock: any FieldClock
  private let target: SyncTarget<CivicRecord>
  private let flight = RefreshFlight(kit: "civic")
  private let attempts = Lock(Attempts())
  let statuses = Broadcast<CivicSyncStatus>(buffer: 16)

  init(
    sync: CivicSync?, target: SyncTarget<CivicRecord>, policy: RefreshPolicy,
    clock: any FieldClock, refreshFeeds: @escaping Part
  ) {
    self.sync = sync
    self.target = target
    self.policy = policy
    self.clock = clock
    self.refreshFeeds = refreshFeeds
  }

  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await flight.run(strength: when == .now ? 1 : 0, onFailure: { _ in }) {
      [self] broadcast in
      try await run(when, telling: broadcast)
    }
  }

  func steps() -> RefreshSteps { flight.steps() }

  func close() {
    flight.close()
    statuses.close()
  }

  func nextRefreshDate() async throws -> Date {
    // Feeds are asked at every visit.
    guard sync != nil else { return clock.now }
    return nextDate(of: try await target.snapshot().checkpoint)
  }

  private func run(
    _ when: RefreshTrigger, telling broadcast: RefreshBroadcast
  ) async throws -> RefreshReport {
    guard let sync else { return try await refreshFeeds(when) }
    // One of the two failing never stops the other.
    let tables = try await outcome { try await self.runTables(sync, when, telling: broadcast) }
    broadcast.tell(.requesting, 0.92)
    let feeds = try await outcome { try await self.refreshFeeds(when) }
    var report = try tables.get()
    switch feeds {
    case .success(let feeds): report = report.merged(with: feeds)
    case .failure(let error):
      report.notices.append(
        RefreshReport.Notice(.feedsFailed, "the feeds could not be refreshed: \(error)"))
    }
    return report
  }

  /// What comes of a part; only a cancellation ends the whole.
  private func outcome(
    of part: () async throws -> RefreshReport
  ) async throws(CancellationError) -> Result<RefreshReport, any Error> {
    do {
      return .success(try await part())
    } catch let error as CancellationError {
      throw error
    } catch {
      return .failure(error)
    }
  }

  private func runTables(
    _ sync: CivicSync, _ when: RefreshTrigger, telling broadcast: RefreshBroadcast
  ) async throws -> RefreshReport {
    do {
      let checkpoint = try await target.snapshot().checkpoint
      guard when == .now || nextDate(of: checkpoint) <= clock.now else {
        return RefreshReport(outcome: .notDue, date: clock.now)
      }
      statuses.tell(.started)
      let report = try await sync.run(telling: broadcast)
      attempts.withLock { $0 = Attempts() }
      statuses.tell(.done(report))
      return report
    } catch {
      // What the server's part throws is wrapped there; the rest is of the repository.
      let wrapped = FieldError.wrapping(error, as: .io, "the tables cannot be stored")
      if !(wrapped is CancellationError) {
        attempts.withLock { attempts in
          attempts.failures += 1
          attempts.last = clock.now
        }
      }
      statuses.tell(CivicSyncStatus(wrapped))
      throw wrapped
    }
  }

  private func nextDate(of checkpoint: Checkpoint?) -> Date {
    let attempts = attempts.withLock { $0 }
    let isOfThisServer = checkpoint?.fingerprint == sync?.service.fingerprint
    return policy.nextDate(
      lastSuccess: isOfThisServer ? checkpoint?.lastSuccess : nil, now: clock.now,
      failures: attempts.failures, lastAttempt: attempts.last)
  }
}

extension RefreshReport {
  /// What two parts of one refresh have done together.
  fileprivate func merged(with other: RefreshReport) -> RefreshReport {
    var sum = self
    if other.outcome == .updated || outcome == .notDue { sum.outcome = other.outcome }
    sum.addCounts(of: other)
    sum.origin = origin ?? other.origin
    sum.date = max(date, other.date)
    return sum
  }
}
