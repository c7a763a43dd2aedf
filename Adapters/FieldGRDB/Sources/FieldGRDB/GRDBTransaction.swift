internal import FieldCore
internal import GRDB

/// A transaction of a run.
final class GRDBTransaction<Record>: SyncTransaction
where
  Record: StoredRecord & FetchableRecord & PersistableRecord, Record.ID: DatabaseValueConvertible
{
  private let db: Database
  private let tables: RunTables
  private let access: RecordAccess<Record>
  /// A Boolean value that indicates whether everything that the run has seen and that is stored is new.
  private let beganEmpty: Bool
  private(set) var checkpoint: Checkpoint?
  private var countBefore: Int?

  init(
    _ db: Database, _ tables: RunTables, _ access: RecordAccess<Record>, beganEmpty: Bool,
    checkpoint: Checkpoint?
  ) {
    self.db = db
    self.tables = tables
    self.access = access
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
    if try areBehindAll(ids) { return records }
    var places: [Record.ID: Int]?
    try inParts(of: ids) { part, list in
      try access.fetch(
        db.cachedStatement(
          sql: "SELECT * FROM \(tables.table) WHERE \(tables.key) IN (\(list))"),
        StatementArguments(access.values(part))
      ) { record in
        if places == nil {
          places = Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
        }
        if let place = places?[record.id] { records[place] = record }
      }
    }
    return records
  }

  /// Returns whether all IDs are greater than the last stored one, as new rows of many sources are.
  private func areBehindAll(_ ids: [Record.ID]) throws -> Bool {
    guard tables.isRowID, let smallest = access.smallest(ids) else { return false }
    let last = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT max(\(tables.key)) FROM \(tables.table)"))
    return last.map { $0 < smallest } ?? true
  }

  func store(_ records: [Record], over stored: [Record?]) throws {
    try access.store(db, records, stored) { id, isNew in
      guard !beganEmpty else { return }
      if isNew { try noteAsNew(id) } else { try keepEarlier(id) }
    }
  }

  func remove(_ ids: [Record.ID]) throws {
    countBefore = try count
    try inParts(of: ids) { part, list in
      try db.cachedStatement(
        sql: "DELETE FROM \(tables.table) WHERE \(tables.key) IN (\(list))"
      ).execute(arguments: StatementArguments(access.values(part)))
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
    for start in stride(from: 0, to: ids.count, by: Self.partLength) {
      let end = min(start + Self.partLength, ids.count)
      var values: [DatabaseValue] = []
      values.reserveCapacity(2 * (end - start))
      for (place, id) in access.values(ids[start..<end]).enumerated() {
        values.append(id)
        values.append(Int64(bitPattern: rows?[start + place] ?? 0).databaseValue)
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
