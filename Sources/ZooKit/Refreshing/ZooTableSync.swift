internal import FieldCore
internal import FieldFoundation

/// Brings one table of the zoo's store up to a delivery, and leaves the others as they are.
struct ZooTableSync: Sendable {
  /// The version of the reader: what another one has stored is due.
  static let fingerprint = "zoo/2"

  let repository: any ZooRepository
  let table: ZooTable
  /// Whether the store is as old as this table.
  let isMain: Bool
  let snapshotGuard: SnapshotGuard
  let clock: any FieldClock

  /// Commits what is new, in one step with the order of the rows.
  func store(
    _ delivery: ZooDelivery, askedAt began: Date, tell: @Sendable () -> Void
  ) async throws -> RefreshReport {
    guard delivery.table == table else {
      throw FieldError(
        .invalidInput,
        "the source was asked for \(table.rawValue) and gave \(delivery.table.rawValue)")
    }
    let (records, repeated) = Self.records(of: delivery)
    let order = ZooRecord(order: records.compactMap(\.id.key), of: table)
    let target = target(order: order, importDate: delivery.importDate)
    let sync = SnapshotSync<ZooRecord>(
      fingerprint: Self.fingerprint, target: target, deletion: .bySnapshot,
      snapshotGuard: snapshotGuard, clock: clock)
    let orderBefore = try await repository.snapshot()[id: order.id]
    var report = try await sync.store(
      SnapshotSync.Delivery(
        records: records, failures: delivery.failures, failedIDs: [],
        rowCount: delivery.rowCount, announcedCount: delivery.announcedRowCount),
      origin: delivery.origin, validators: [:], askedAt: began, over: try await target.snapshot(),
      tell: tell)
    // Rows that only changed places are a change of the list.
    if report.outcome == .unchanged, orderBefore != order { report.outcome = .updated }
    if !delivery.failures.isEmpty {
      report.notices.append(
        RefreshReport.Notice(
          .removalSkipped,
          "some rows of the \(table.rawValue) cannot be read, so nothing of them was removed"))
    }
    if repeated > 0 {
      report.notices.append(
        RefreshReport.Notice(
          .repeatedIDs,
          "\(repeated) rows of the \(table.rawValue) had the id of another; the last was used"))
    }
    return report
  }

  /// The records of a delivery, each id once, and how many came more than once.
  private static func records(of delivery: ZooDelivery) -> ([ZooRecord], repeated: Int) {
    let all =
      delivery.animals.map(ZooRecord.init) + delivery.areas.map(ZooRecord.init)
      + delivery.plants.map(ZooRecord.init) + delivery.events.map(ZooRecord.init)
    var places: [ZooRecord.ID: Int] = [:]
    var records: [ZooRecord] = []
    for record in all {
      if let place = places[record.id] {
        records[place] = record
      } else {
        places[record.id] = records.count
        records.append(record)
      }
    }
    return (records, all.count - records.count)
  }

  /// The table as if it were a store of its own: its rows, its part of the checkpoint.
  private func target(order: ZooRecord, importDate: Date?) -> SyncTarget<ZooRecord> {
    SyncTarget(
      snapshot: {
        let whole = try await repository.snapshot()
        let entry = ZooLedger(whole.checkpoint)[table]
        // What is in no row, the order and the date of import, is a change to commit too.
        let isSame = whole[id: order.id] == order && entry.importDate == importDate
        return Snapshot(
          whole.filter { $0.id.table == table && $0.id.key != nil }, revision: whole.revision,
          checkpoint: isSame
            ? Checkpoint(lastSuccess: entry.lastSuccess, fingerprint: entry.fingerprint) : nil)
      },
      commit: { changes, checkpoint, expecting in
        let whole = try await repository.snapshot()
        if let expecting, whole.revision != expecting {
          throw FieldError(.conflict, "the zoo's store has moved on")
        }
        var changes = changes
        if whole[id: order.id] != order { changes.upsert(order) }
        var ledger = ZooLedger(whole.checkpoint)
        try ledger.note(
          ZooLedger.Entry(
            lastSuccess: checkpoint?.lastSuccess, fingerprint: checkpoint?.fingerprint,
            importDate: importDate),
          of: table, isMain: isMain)
        return try await repository.commit(
          changes, checkpoint: ledger.checkpoint, expecting: whole.revision)
      })
  }
}
