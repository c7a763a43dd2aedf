internal import FieldCore
internal import Foundation
internal import GRDB

/// The temporary tables of a run: the IDs that it has seen, and the rows that it has changed.
///
/// They belong to the connection that writes, and aren't part of the database.
struct RunTables: Sendable {
  /// The name of the user's table, and that of its primary key, quoted.
  let table: String
  let key: String
  let seen: String
  let earlier: String
  /// A Boolean value that indicates whether the key is the number of the row.
  let isRowID: Bool

  /// Creates the tables.
  init<Record: TableRecord>(of type: Record.Type, in db: Database) throws {
    let name = Record.databaseTableName
    let primaryKey = try db.primaryKey(name)
    guard primaryKey.columns.count == 1, let column = primaryKey.columns.first else {
      throw FieldError(
        .invalidInput,
        "The primary key of the table \(name) has \(primaryKey.columns.count) columns. Synced tables have one, the record's ID."
      )
    }
    let type = try db.columns(in: name).first { $0.name == column }?.type ?? "INTEGER"
    let suffix = UUID().uuidString.filter { $0 != "-" }
    table = "main.\(name.quotedDatabaseIdentifier)"
    key = column.quotedDatabaseIdentifier
    seen = "temp.fieldSeen\(suffix)"
    earlier = "temp.fieldEarlier\(suffix)"
    // A rowid is several times as fast as another key.
    isRowID = type.uppercased() == "INTEGER"
    try db.execute(
      sql: """
        CREATE TABLE \(seen) (
          id \(type) \(isRowID ? "PRIMARY KEY" : "NOT NULL PRIMARY KEY"), row INTEGER NOT NULL,
          isNew INTEGER NOT NULL DEFAULT 0) \(isRowID ? "" : "WITHOUT ROWID");
        CREATE TABLE \(earlier) AS SELECT * FROM \(table) WHERE 0;
        CREATE UNIQUE INDEX \(earlier)Key ON \(earlier.dropFirst(5)) (\(key));
        """)
  }

  /// Removes the tables.
  func drop(in db: Database) {
    // A connection that is closed has dropped them.
    try? db.execute(sql: "DROP TABLE IF EXISTS \(seen); DROP TABLE IF EXISTS \(earlier)")
  }
}
