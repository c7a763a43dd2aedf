internal import FieldCore
internal import FieldFoundation

/// Brings a repository up to its source, whole or page by page.
final class MeteoriteRefresher: Sendable {
  private static let adoptedTimestamp = "talula.updateTimestamp"

  private let target: SyncTarget<Meteorite>
  private let clock: any FieldClock
  private let refresher: RecordRefresher<Meteorite>

  init(
    source: any MeteoriteSource, repository: any MeteoriteRepository, clock: any FieldClock,
    policy: RefreshPolicy, snapshotGuard: SnapshotGuard
  ) {
    let target = SyncTarget<Meteorite>(
      snapshot: { try await repository.snapshot() },
      commit: { try await repository.commit($0, checkpoint: $1, expecting: $2) })
    self.target = target
    self.clock = clock
    if let pages = source.pages {
      let engine = SyncEngine(
        source: pages, target: target, deletion: source.deletion, snapshotGuard: snapshotGuard,
        clock: clock)
      refresher = RecordRefresher(
        kit: "meteorites", target: target, clock: clock, policy: policy,
        fingerprint: engine.fingerprint
      ) { _, broadcast in
        try await engine.run(telling: broadcast)
      }
    } else {
      let sync = SnapshotSync(
        fingerprint: "meteorites/1", target: target, deletion: source.deletion,
        snapshotGuard: snapshotGuard, clock: clock)
      refresher = RecordRefresher(
        kit: "meteorites", target: target, clock: clock, policy: policy,
        fingerprint: sync.fingerprint
      ) { snapshot, broadcast in
        // What changes at the source from here on may not be in the answer.
        let began = clock.now
        let delivery = try await source.fetch(
          MeteoriteRequest(
            validators: sync.validators(of: snapshot), storedCount: snapshot.count,
            snapshotGuard: snapshotGuard))
        try Task.checkCancellation()
        broadcast.tell(.reading, 0.6)
        return try await sync.store(
          delivery.rows.map(SnapshotSync.Delivery.init), origin: delivery.origin,
          validators: delivery.validators, askedAt: began, over: snapshot
        ) {
          broadcast.tell(.storing, 0.9)
        }
      }
    }
  }

  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    try await refresher.refresh(when)
  }

  func steps() -> RefreshSteps { refresher.steps() }

  func close() { refresher.close() }

  func nextRefreshDate() async throws -> Date { try await refresher.nextRefreshDate() }

  func adopt(timestamp seconds: Int) async throws -> Bool {
    guard seconds > 0 else { return false }
    let date = min(Date(timeIntervalSince1970: Double(seconds)), clock.now)
    var isNew = false
    try await target.update { _, _, checkpoint in
      isNew = checkpoint?.cursors[Self.adoptedTimestamp] == nil
      guard isNew else { return }
      var next = checkpoint ?? Checkpoint()
      next.cursors[Self.adoptedTimestamp] = String(seconds)
      next.lastSuccess = max(next.lastSuccess ?? date, date)
      checkpoint = next
    }
    return isNew
  }
}

extension SnapshotSync<Meteorite>.Delivery {
  fileprivate init(_ rows: MeteoriteRows) {
    self.init(
      records: rows.meteorites, failures: rows.failures,
      failedIDs: rows.failures.compactMap { failure in
        // A key that could only be read in part is not the key.
        failure.key.flatMap { $0.contains("\u{FFFD}") ? nil : Meteorite.ID(rawValue: $0) }
      },
      rowCount: rows.count, announcedCount: rows.announcedCount)
  }
}
