extension RecordStore {
  /// Returns the facts about the current snapshot.
  public func content() async throws -> SyncContent {
    let snapshot = try await snapshot()
    return SyncContent(checkpoint: snapshot.checkpoint, count: snapshot.count)
  }

  /// Begins a run that keeps the current snapshot to revert to, and the IDs that it sees in memory.
  public func beginRun() async throws -> any SyncTargetRun<Record> {
    StoreRun(self, table: nil, over: try await snapshot())
  }
}

/// One table of a store, or all of it, as a target.
struct TableOfStore<Record: StoredRecord>: SyncTarget {
  let store: any RecordStore<Record>
  let table: StoreTable<Record>?

  func content() async throws -> SyncContent {
    let snapshot = try await store.snapshot()
    guard let table else {
      return SyncContent(checkpoint: snapshot.checkpoint, count: snapshot.count)
    }
    // One pass, because each may decode the records.
    var content = SyncContent(checkpoint: snapshot.checkpoint, count: 0)
    for record in snapshot {
      if table.contains(record) { content.count += 1 }
      if content.isReadable { content.isReadable = table.isReadable(record) }
    }
    return content
  }

  func beginRun() async throws -> any SyncTargetRun<Record> {
    StoreRun(store, table: table, over: try await store.snapshot())
  }
}

extension Snapshot {
  fileprivate func count(in table: StoreTable<Record>?) -> Int {
    table.map { table in count { table.contains($0) } } ?? count
  }
}

/// A run whose target is a store, or one table of it.
private final class StoreRun<Record: StoredRecord>: SyncTargetRun {
  private let store: any RecordStore<Record>
  fileprivate let table: StoreTable<Record>?
  /// The store at the beginning of the run.
  fileprivate let snapshot: Snapshot<Record>
  fileprivate let sightings = Lock(Sightings<Record.ID>())

  init(
    _ store: any RecordStore<Record>, table: StoreTable<Record>?, over snapshot: Snapshot<Record>
  ) {
    self.store = store
    self.table = table
    self.snapshot = snapshot
  }

  var base: SyncContent {
    SyncContent(checkpoint: snapshot.checkpoint, count: snapshot.count(in: table))
  }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    sightings.withLock { $0.keep() }
    do {
      return try await store.updating { snapshot, changes, checkpoint in
        // An earlier attempt may have met a conflict.
        sightings.withLock { $0.undo() }
        let transaction = StoreTransaction(self, snapshot)
        let result = try body(transaction)
        changes = transaction.changes
        checkpoint = transaction.checkpoint
        return result
      }
    } catch {
      sightings.withLock { $0.undo() }
      throw error
    }
  }
}

/// The IDs that a run has seen, with their rows.
private struct Sightings<ID: Hashable & Sendable>: Sendable {
  private(set) var rows: [ID: UInt64] = [:]
  /// What the current transaction has changed.
  private var undone: [(id: ID, row: UInt64?)] = []

  mutating func keep() { undone = [] }

  mutating func undo() {
    for (id, row) in undone.reversed() { rows[id] = row }
    undone = []
  }

  mutating func see(_ ids: [ID], _ given: [UInt64]?) -> Int {
    var repeated = 0
    for (place, id) in ids.enumerated() {
      let row = given?[place]
      let before = rows[id]
      guard before == nil || row != nil && row != before else { continue }
      if before != nil { repeated += 1 }
      rows[id] = row ?? 0
      undone.append((id, before))
    }
    return repeated
  }

  mutating func forget() { self = Sightings() }
}

private final class StoreTransaction<Record: StoredRecord>: SyncTransaction {
  private let run: StoreRun<Record>
  private let snapshot: Snapshot<Record>
  private(set) var changes = Changes<Record>()
  private(set) var checkpoint: Checkpoint?

  init(_ run: StoreRun<Record>, _ snapshot: Snapshot<Record>) {
    self.run = run
    self.snapshot = snapshot
    checkpoint = snapshot.checkpoint
  }

  var count: Int { snapshot.count(in: run.table) }

  func records(_ ids: [Record.ID]) -> [Record?] { ids.map { snapshot[id: $0] } }

  func store(_ records: [Record], over stored: [Record?]) {
    for record in records { changes.upsert(record) }
  }

  func remove(_ ids: [Record.ID]) { for id in ids { changes.remove(id) } }

  func store(_ checkpoint: Checkpoint) { self.checkpoint = checkpoint }

  func see(_ ids: [Record.ID], rows: [UInt64]?) -> Int {
    run.sightings.withLock { $0.see(ids, rows) }
  }

  func forgetSeen() { run.sightings.withLock { $0.forget() } }

  func unseenIDs(limit: Int) -> [Record.ID] {
    run.sightings.withLock { sightings in
      var ids: [Record.ID] = []
      for record in snapshot where sightings.rows[record.id] == nil {
        guard ids.count < limit else { break }
        if run.table?.contains(record) ?? true { ids.append(record.id) }
      }
      return ids
    }
  }

  func revert(merging merge: ((_ current: Record, _ earlier: Record) -> Record)?) {
    for id in run.sightings.withLock({ $0.rows }).keys {
      guard let current = snapshot[id: id] else { continue }
      guard let earlier = run.snapshot[id: id] else {
        changes.remove(id)
        continue
      }
      let restored = merge?(current, earlier) ?? earlier
      if restored != current { changes.upsert(restored) }
    }
  }
}
