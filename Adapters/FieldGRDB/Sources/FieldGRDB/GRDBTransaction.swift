internal import FieldCore
internal import GRDB

/// A transaction of a run.
final class GRDBTransaction<Record>: SyncTransaction
where
  Record: StoredRecord & FetchableRecord & PersistableRecord, Record.ID: DatabaseValueConvertible
{
  private let db: Database
  private let tables: RunTables
  /// A Boolean value that indicates whether everything that the run has seen and that is stored is new.
  private let beganEmpty: Bool
  private(set) var checkpoint: Checkpoint?
  private var countBefore: Int?

  init(_ db: Database, _ tables: RunTables, beganEmpty: Bool, checkpoint: Checkpoint?) {
    self.db = db
    self.tables = tables
    self.beganEmpty = beganEmpty
    self.checkpoint = checkpoint
  }

  var count: Int {
    get throws {
      if let countBefore { return countBefore }
      return try Record.fetchCount(db)
    }
  }

  // MARK: Records

  func records(_ ids: [Record.ID]) throws -> [Record?] {
    var records = [Record?](repeating: nil, count: ids.count)
    var places: [Record.ID: Int]?
    try inParts(of: ids) { part, list in
      let found = try Record.fetchCursor(
        db.cachedStatement(
          sql: "SELECT * FROM \(tables.table) WHERE \(tables.key) IN (\(list))"),
        arguments: StatementArguments(part))
      while let record = try found.next() {
        if places == nil {
          places = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
        }
        if let place = places?[record.id] { records[place] = record }
      }
    }
    return records
  }

  func store(_ records: [Record], over stored: [Record?]) throws {
    for (record, stored) in zip(records, stored) {
      if let stored {
        try keepEarlier(record.id)
        try record.updateChanges(db, from: stored)
      } else {
        try record.insert(db)
        if !beganEmpty { try noteAsNew(record.id) }
      }
    }
  }

  func remove(_ ids: [Record.ID]) throws {
    countBefore = try count
    try inParts(of: ids) { part, list in
      try db.cachedStatement(
        sql: "DELETE FROM \(tables.table) WHERE \(tables.key) IN (\(list))"
      ).execute(arguments: StatementArguments(part))
    }
  }

  func store(_ checkpoint: Checkpoint) throws {
    guard checkpoint != self.checkpoint else { return }
    try db.setSyncCheckpoint(checkpoint, of: Record.databaseTableName)
    self.checkpoint = checkpoint
  }

  // MARK: What the run has seen

  func see(_ ids: [Record.ID], rows: [UInt64]?) throws -> Int {
    var repeated = 0
    let rows = rows.map { $0.map { Int64(bitPattern: $0) } }
    for start in stride(from: 0, to: ids.count, by: Self.partLength) {
      let end = min(start + Self.partLength, ids.count)
      var values: [(any DatabaseValueConvertible)?] = []
      values.reserveCapacity(2 * (end - start))
      for place in start..<end {
        values.append(ids[place])
        values.append(rows?[place] ?? 0)
      }
      let arguments = StatementArguments(values)
      let list = Self.list(of: "(?, ?)", count: end - start)
      try db.cachedStatement(
        sql: "INSERT INTO \(tables.seen) (id, row) VALUES \(list) ON CONFLICT DO NOTHING"
      ).execute(arguments: arguments)
      // Usually, all are new.
      guard rows != nil, db.changesCount < end - start else { continue }
      try db.cachedStatement(
        sql: """
          INSERT INTO \(tables.seen) (id, row) VALUES \(list)
          ON CONFLICT DO UPDATE SET row = excluded.row WHERE row <> excluded.row
          """
      ).execute(arguments: arguments)
      repeated += db.changesCount
    }
    return repeated
  }

  func forgetSeen() throws { try db.execute(sql: "DELETE FROM \(tables.seen)") }

  func unseenIDs(limit: Int) throws -> [Record.ID] {
    try Record.ID.fetchAll(
      db,
      sql: """
        SELECT \(tables.key) FROM \(tables.table) AS stored
        WHERE NOT EXISTS (SELECT 1 FROM \(tables.seen) AS seen WHERE seen.id = stored.\(tables.key))
        LIMIT ?
        """, arguments: [limit])
  }

  // MARK: Reverting

  /// Keeps the row of a record, unless the run has inserted it or has changed it before.
  private func keepEarlier(_ id: Record.ID) throws {
    guard !beganEmpty else { return }
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO \(tables.earlier) SELECT * FROM \(tables.table) WHERE \(tables.key) = ?
        AND NOT EXISTS (SELECT 1 FROM \(tables.seen) WHERE id = ? AND isNew)
        """
    ).execute(arguments: [id, id])
  }

  private func noteAsNew(_ id: Record.ID) throws {
    try db.cachedStatement(sql: "UPDATE \(tables.seen) SET isNew = 1 WHERE id = ?")
      .execute(arguments: [id])
  }

  func revert(merging merge: ((_ current: Record, _ earlier: Record) -> Record)?) throws {
    let earlier = try Record.fetchCursor(db, sql: "SELECT * FROM \(tables.earlier)")
    while let earlier = try earlier.next() {
      guard let current = try records([earlier.id])[0] else { continue }
      try (merge?(current, earlier) ?? earlier).updateChanges(db, from: current)
    }
    try db.execute(
      sql: """
        DELETE FROM \(tables.table) WHERE \(tables.key) IN
        (SELECT id FROM \(tables.seen)\(beganEmpty ? "" : " WHERE isNew"))
        """)
  }

  // MARK: Parts

  /// As many values as all versions of SQLite accept in a statement that has two for each.
  private static var partLength: Int { 400 }

  private static func list(of item: String, count: Int) -> String {
    Array(repeating: item, count: count).joined(separator: ", ")
  }

  private func inParts(
    of ids: [Record.ID], _ body: (_ part: ArraySlice<Record.ID>, _ list: String) throws -> Void
  ) throws {
    for start in stride(from: 0, to: ids.count, by: Self.partLength) {
      let part = ids[start..<min(start + Self.partLength, ids.count)]
      try body(part, Self.list(of: "?", count: part.count))
    }
  }
}
