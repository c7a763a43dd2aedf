public import FieldCore
public import GRDB

/// A table of a SQLite database that a sync writes to.
///
/// The table and its migrations are yours, and so is the record type:
///
/// ```swift
/// struct Tree: CatalogRecord, FetchableRecord, PersistableRecord {
///   let id: Int
///   let species: String
/// }
/// migrator.registerMigration("trees") { db in
///   try db.create(table: "tree") { table in
///     table.primaryKey("id", .integer)
///     table.column("species", .text).notNull()
///   }
///   try db.createSyncCheckpoints()
/// }
/// let trees = SyncedTable(
///   "trees", sources: [Download<Tree>(url, transport: transport)], target: GRDBTable(database))
/// try await trees.refresh()
/// ```
///
/// Each page is one transaction, so a `ValueObservation` of the table is notified once a page. Records are inserted, updated, and deleted by
/// GRDB, by the record's own methods: columns that the record doesn't encode keep their values, and foreign keys and triggers work as ever.
///
/// ### What the table needs
///
/// - Its primary key is one column, which the record encodes as its `id`.
/// - A record that was stored and fetched equals the original. Otherwise, it counts as updated each time, although nothing is written: give
///   dates as many digits as the database keeps, which are milliseconds by default.
///
/// The IDs that a run has seen, and the earlier values of the rows that it changes, are in temporary tables, which SQLite keeps
/// in a file of its own. So memory doesn't grow with the rows.
public final class GRDBTable<Record>: SyncTarget
where
  Record: StoredRecord & FetchableRecord & PersistableRecord, Record.ID: DatabaseValueConvertible
{
  private let database: any DatabaseWriter
  private let access: RecordAccess<Record>

  /// Creates a target; the first use reads the database.
  ///
  /// - Parameters:
  ///   - database: The queue or pool.
  ///   - type: The type of the records, which determines the table.
  @inlinable
  public convenience init(_ database: any DatabaseWriter, of type: Record.Type = Record.self) {
    self.init(
      database,
      RecordAccess { db, records, stored, note in
        for (place, record) in records.enumerated() {
          if let known = stored[place] {
            try note(record.id, false)
            try record.updateChanges(db, from: known)
          } else {
            try record.insert(db)
            try note(record.id, true)
          }
        }
      } fetching: { statement, arguments, body in
        let records = try Record.fetchCursor(statement, arguments: arguments)
        while let record = try records.next() { try body(record) }
      } values: { ids in
        ids.map(\.databaseValue)
      } smallest: { ids in
        var smallest = Int64.max
        for id in ids {
          guard let number = (id as? Int).map(Int64.init) ?? id as? Int64 else { return nil }
          smallest = min(smallest, number)
        }
        return smallest
      })
  }

  @usableFromInline
  init(_ database: any DatabaseWriter, _ access: RecordAccess<Record>) {
    (self.database, self.access) = (database, access)
  }

  /// Returns the checkpoint, and the number of rows.
  public func content() async throws -> SyncContent {
    try await GRDBError.wrapping {
      try await database.read { db in
        SyncContent(
          checkpoint: try db.syncCheckpoint(of: Record.databaseTableName),
          count: try Record.fetchCount(db))
      }
    }
  }

  /// Begins a run with temporary tables of its own.
  public func beginRun() async throws -> any SyncTargetRun<Record> {
    try await GRDBError.wrapping {
      let (tables, content) = try await database.write { db in
        let tables = try RunTables(of: Record.self, in: db)
        let content = SyncContent(
          checkpoint: try db.syncCheckpoint(of: Record.databaseTableName),
          count: try Record.fetchCount(db))
        return (tables, content)
      }
      return GRDBRun<Record>(database, tables, access, over: content)
    }
  }
}

/// A run that writes to a table.
private final class GRDBRun<Record>: SyncTargetRun
where
  Record: StoredRecord & FetchableRecord & PersistableRecord, Record.ID: DatabaseValueConvertible
{
  let base: SyncContent
  private let database: any DatabaseWriter
  private let tables: RunTables
  private let access: RecordAccess<Record>

  init(
    _ database: any DatabaseWriter, _ tables: RunTables, _ access: RecordAccess<Record>,
    over base: SyncContent
  ) {
    (self.database, self.tables) = (database, tables)
    (self.access, self.base) = (access, base)
  }

  deinit {
    // They would end with the connection, too.
    database.asyncWriteWithoutTransaction { [tables] db in tables.drop(in: db) }
  }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    try await GRDBError.wrapping {
      try await database.write { [tables, access, base] db in
        try body(
          GRDBTransaction<Record>(
            db, tables, access, beganEmpty: base.count == 0,
            checkpoint: try db.syncCheckpoint(of: Record.databaseTableName)))
      }
    }
  }
}
