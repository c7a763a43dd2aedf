internal import FieldCore

/// Fetches alerts from a source into a repository, each list completely or not at all.
final class AlertRefresher: Sendable {
  private let source: any MetroAlertSource
  private let store: any AlertRepository
  private let clock: any FieldClock
  /// The reason why the last refresh failed; `nil` if it didn't.
  private let lastFailure = Lock<FieldError?>(nil)

  init(source: any MetroAlertSource, store: any AlertRepository, clock: any FieldClock) {
    self.source = source
    self.store = store
    self.clock = clock
  }

  /// The part of the metro's engine, which is fetched on every visit.
  ///
  /// - Parameter changed: A closure to call after each attempt, so that listeners see its result.
  func part(changed: @escaping @Sendable () async -> Void) -> RefreshPart {
    RefreshPart("alerts", policy: .always, isMain: false) { [self] in
      let alerts = try await stored()
      return RefreshPart.Status(
        lastSuccess: alerts?.fetchedAt, isComplete: alerts != nil,
        recordCount: alerts?.alerts.count ?? 0)
    } work: { [self] progress in
      do {
        let report = try await work(progress)
        lastFailure.withLock { $0 = nil }
        await changed()
        return report
      } catch {
        let wrapped = FieldError.wrapping(
          error, as: .transport, "The alerts can't be refreshed.", operation: "metro.alerts")
        if let failure = wrapped as? FieldError {
          lastFailure.withLock { $0 = failure }
          await changed()
        }
        throw wrapped
      }
    }
  }

  /// Deletes the alerts and forgets the last failure.
  func eraseAll() async throws {
    try await store.eraseAll()
    lastFailure.withLock { $0 = nil }
  }

  /// Returns the board together with the stored alerts, or with the reason if they can't be read.
  func adding(to board: ArrivalBoard) async -> ArrivalBoard {
    var board = board
    board.alertsFailure = lastFailure.withLock { $0 }
    do {
      board.alerts = try await stored()
    } catch {
      board.alertsFailure = board.alertsFailure ?? (error as? FieldError)
    }
    return board
  }

  private func stored() async throws -> MetroAlerts? {
    try await store.snapshot()[id: MetroAlerts.onlyID]
  }

  private func work(_ progress: RefreshPart.Progress) async throws -> RefreshReport {
    let snapshot = try await store.snapshot()
    let before = snapshot[id: MetroAlerts.onlyID]
    var next = try await source.fetch()
    try Task.checkCancellation()
    let date = clock.now
    next.fetchedAt = date
    progress.send(.storing, 0.9)
    try await store.update(inRunFrom: snapshot.checkpoint) { _, changes, checkpoint in
      changes.upsert(next)
      checkpoint = checkpoint ?? Checkpoint()
      checkpoint?.lastSuccess = date
    }
    // IDs may repeat in a list, so the last alert of each counts.
    let old = Dictionary((before?.alerts ?? []).map { ($0.id, $0) }) { $1 }
    let new = Dictionary(next.alerts.map { ($0.id, $0) }) { $1 }
    let added = new.keys.count { old[$0] == nil }
    let updated = new.count { id, alert in old[id].map { $0 != alert } ?? false }
    let removed = old.keys.count { new[$0] == nil }
    return RefreshReport(
      outcome: added + updated + removed > 0 ? .updated : .unchanged,
      rows: next.alerts.count + next.failures.count, added: added, updated: updated,
      removed: removed, unchanged: new.count - added - updated, failures: next.failures,
      date: date)
  }
}
