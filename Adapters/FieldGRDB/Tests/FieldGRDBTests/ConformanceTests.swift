import FieldCore
import FieldGRDB
import FieldTesting
import Foundation
import GRDB
import Testing

@Suite("The contract of a target")
struct ConformanceTests {
  private static func create(in db: Database) throws {
    guard try !db.tableExists("conformanceRecord") else { return }
    try db.create(table: "conformanceRecord") { table in
      table.primaryKey("id", .text)
      table.column("text", .text).notNull()
      table.column("number", .integer).notNull()
    }
    try db.createSyncCheckpoints()
  }

  @Test("a table of a database in memory keeps to the contract of a target")
  func memory() async throws {
    try await SyncTargetConformance.run {
      let database = try DatabaseQueue()
      try await database.write { try Self.create(in: $0) }
      return GRDBTable<ConformanceRecord>(database)
    }
  }

  @Test("a table of a database in a file keeps to the contract of a target")
  func file() async throws {
    try await SyncTargetConformance.run(reopening: { folder in
      // The pool before may still drop the temporary tables of its last run.
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      let database = try DatabasePool(
        path: folder.appending(path: "records.sqlite").path, configuration: configuration)
      try await database.write { try Self.create(in: $0) }
      return GRDBTable<ConformanceRecord>(database)
    })
  }
}
