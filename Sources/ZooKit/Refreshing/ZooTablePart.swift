internal import FieldCore
internal import FieldFoundation

/// A table as a part of the zoo's refresh, stored by itself in one step with the order of its rows.
struct ZooTablePart: Sendable {
  /// The version of the reader; data that another version stored is due.
  ///
  /// If the columns change, it gets the next number. A test knows the checksum of the columns.
  static let fingerprint = "zoo/2"

  let source: any ZooSource
  let repository: any ZooRepository
  let table: ZooTable
  let snapshotGuard: SnapshotGuard
  let clock: any FieldClock

  /// The table that determines the zoo's age, and whose failure fails the refresh.
  private var isMain: Bool {
    table == (source.tables.contains(.animals) ? .animals : source.tables.first)
  }

  private var stored: StoreTable<ZooRecord> {
    StoreTable(table.entry, determinesAge: isMain) { [table] in
      $0.id.table == table && $0.id.key != nil
    }
  }

  func part(policy: RefreshPolicy) -> RefreshPart {
    RefreshPart(table.rawValue, policy: policy, isMain: isMain) { [self] in
      let snapshot = try await repository.snapshot()
      let entry = snapshot.checkpoint?[table: table.entry] ?? Checkpoint.Table()
      return RefreshPart.Status(
        lastSuccess: isMain ? snapshot.checkpoint?.lastSuccess : entry.lastSuccess,
        isComplete: entry.fingerprint == Self.fingerprint && entry.lastSuccess != nil,
        recordCount: snapshot.count { stored.contains($0) })
    } work: { [self] progress in
      // Changes at the source from here on may be missing from the response.
      let began = clock.now
      let base = try await repository.snapshot().checkpoint
      let batch = try await source.read(table)
      try Task.checkCancellation()
      progress.send(.reading, 0.7)
      return try await store(batch, on: progress.trigger, askedAt: began, over: base) {
        progress.send(.storing, 0.9)
      }
    }
  }

  private func store(
    _ batch: Batch<ZooRecord>, on trigger: RefreshTrigger, askedAt began: Date,
    over base: Checkpoint?,
    willStore: @Sendable () -> Void
  ) async throws -> RefreshReport {
    if let other = batch.records.first(where: { !stored.contains($0) }) {
      throw FieldError(
        .invalidInput,
        "The source was asked for the \(table.rawValue) and returned the \(other.id.table.rawValue)."
      )
    }
    var snapshotGuard = snapshotGuard
    // Events expire: those of last winter are no reason to reject today's.
    if table == .events { snapshotGuard.maximumRemovedFraction = 1 }
    let sync = SnapshotSync<ZooRecord>(
      fingerprint: Self.fingerprint, store: repository, table: stored, deletion: .bySnapshot,
      snapshotGuard: snapshotGuard.accepting(trigger), clock: clock,
      named: "rows of the \(table.rawValue)")
    return try await sync.store(
      batch,
      // Rows that only moved are a change of the list.
      attaching: [ZooRecord(order: batch.records.compactMap(\.id.key).uniqued(), of: table)],
      askedAt: began, over: base, willStore: willStore)
  }
}

extension ZooTable {
  /// The name of the table's entry in the checkpoint.
  var entry: String { "zoo.\(rawValue)" }
}
