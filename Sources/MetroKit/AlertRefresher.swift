public import FieldCore
internal import FieldFoundation

/// Fetches alerts from a source into a repository, each list completely or not at all.
///
/// A run that has waited long enough for them ends without the alerts, which are stored when they arrive.
final class AlertRefresher: Sendable {
  private let source: any RecordSource<MetroAlerts>
  private let store: any AlertRepository
  private let clock: any FieldClock
  private let work: LateWork

  init(source: any RecordSource<MetroAlerts>, store: any AlertRepository, clock: any FieldClock) {
    self.source = source
    self.store = store
    self.clock = clock
    work = LateWork(
      "metro.alerts", failing: "The alerts can't be refreshed.",
      late:
        "The alerts haven't arrived within four seconds. They will be shown when they arrive.",
      clock: clock)
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
    } work: { [source, store, clock, work] _ in
      try await work.report(within: LateWork.patience, changed: changed) {
        let snapshot = try await store.snapshot()
        let batch = try await source.fetch(RecordRequest())
        var alerts = batch.records.last ?? MetroAlerts(alerts: [])
        alerts.failures += batch.failures
        try Task.checkCancellation()
        return try await Self.keep(alerts, over: snapshot, in: store, at: clock.now)
      }
    }
  }

  /// Deletes the alerts and forgets the last failure.
  func eraseAll() async throws {
    try await work.eraseAll(in: store)
  }

  /// Cancels the request in flight, whose alerts are neither stored nor reported.
  func abandon() { work.abandon() }

  /// Returns the board together with the stored alerts, or with the reason if they can't be read.
  func adding(to board: ArrivalBoard) async -> ArrivalBoard {
    var board = board
    board.alertsFailure = work.lastFailure
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

  private static func keep(
    _ alerts: MetroAlerts, over snapshot: Snapshot<MetroAlerts>, in store: any AlertRepository,
    at date: Date
  ) async throws -> RefreshReport {
    var next = alerts
    next.fetchedAt = date
    try await store.update(inRunFrom: snapshot.checkpoint) { [next] _, changes, checkpoint in
      changes.upsert(next)
      checkpoint = checkpoint ?? Checkpoint()
      checkpoint?.lastSuccess = date
    }
    // IDs may repeat in a list, so the last alert of each counts.
    let before = snapshot[id: MetroAlerts.onlyID]
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

/// The store in which a metro keeps its last alerts: any `RecordStore` of alerts, with a single
/// record.
///
/// By default, it is the store `metro-alerts` of a `Storage`.
public typealias AlertRepository = RecordStore<MetroAlerts>

/// The alerts of a response belong together. As one record, they can only be replaced together.
extension MetroAlerts: StoredRecord {
  /// The constant ID, so that new alerts replace the previous ones.
  public var id: String { Self.onlyID }

  static let onlyID = "alerts"

  /// The name of the type in store files.
  public static var storedName: String { "MetroAlerts" }

  /// A Boolean value that indicates whether backups include the alerts, which is `false` because
  /// they are fetched again.
  public static var isBackedUp: Bool { false }
}
