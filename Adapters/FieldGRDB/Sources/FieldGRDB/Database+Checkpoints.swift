internal import FieldCore
internal import Foundation
public import GRDB

extension Database {
  /// Creates the table of the checkpoints of all synced tables.
  ///
  /// Call the method once in a migration of yours:
  ///
  /// ```swift
  /// migrator.registerMigration("sync") { db in try db.createSyncCheckpoints() }
  /// ```
  public func createSyncCheckpoints() throws {
    try create(table: Self.checkpoints) { table in
      table.primaryKey("name", .text)
      table.column("checkpoint", .text).notNull()
    }
  }

  private static var checkpoints: String { "fieldCheckpoint" }

  /// Returns the checkpoint of a table.
  ///
  /// One that can't be read, such as a newer version's, counts as none, so that all rows are read again.
  func syncCheckpoint(of table: String) throws -> Checkpoint? {
    guard try tableExists(Self.checkpoints) else {
      throw FieldError(
        .invalidInput,
        "The database has no table of checkpoints. Call `createSyncCheckpoints()` in a migration.")
    }
    let statement = try cachedStatement(
      sql: "SELECT checkpoint FROM \(Self.checkpoints) WHERE name = ?")
    guard let text = try String.fetchOne(statement, arguments: [table]) else { return nil }
    return try? JSONDecoder().decode(Checkpoint.self, from: Data(text.utf8))
  }

  /// Replaces the checkpoint of a table.
  func setSyncCheckpoint(_ checkpoint: Checkpoint, of table: String) throws {
    let text = String(decoding: try JSONEncoder().encode(checkpoint), as: UTF8.self)
    try cachedStatement(
      sql: """
        INSERT INTO \(Self.checkpoints) (name, checkpoint) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET checkpoint = excluded.checkpoint
        """
    ).execute(arguments: [table, text])
  }
}
