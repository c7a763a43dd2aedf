import FieldCore
import FieldGRDB
import Foundation
import GRDB
import Testing

// sample.begin
struct Tree: CatalogRecord, FetchableRecord, PersistableRecord {
  let id: Int
  let species: String
  let height: Double?
}

func database(at path: String) throws -> DatabasePool {
  let database = try DatabasePool(path: path)
  var migrator = DatabaseMigrator()
  migrator.registerMigration("trees") { db in
    try db.create(table: "tree") { table in
      table.primaryKey("id", .integer)
      table.column("species", .text).notNull()
      table.column("height", .double)
      table.column("note", .text)  // The user's own, which no refresh changes.
    }
    try db.createSyncCheckpoints()
  }
  try migrator.migrate(database)
  return database
}

func trees(
  at url: URL, in database: DatabasePool, transport: any Transport
) -> SyncedTable<Tree> {
  SyncedTable(
    "trees", sources: [Download<Tree>(url, transport: transport)], target: GRDBTable(database))
}
// sample.end

private struct Rows: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(
      status: 200, body: .text("ID,Species,Height\n7,榕樹,\"12.5\"\n8,樟樹,\n9,,3\n"))
  }
}

@Suite("The sample of the article")
struct SampleTests {
  @Test("the sample of the article fills a table from a URL, and is the one that builds")
  func article() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(
      contentsOf: folder.appending(path: "SampleTests.swift"), encoding: .utf8)
    let sample = source.split(separator: "// sample.begin\n")[1].split(separator: "// sample.end")[
      0]
    let article = try String(
      contentsOf: folder.appending(
        path: "../../../../Sources/FieldCore/FieldCore.docc/Syncing-into-your-own-database.md"),
      encoding: .utf8)
    #expect(article.contains("```swift\n\(sample)```\n"))

    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let pool = try database(at: path)
    let url = try #require(URL(string: "https://trees.example/rows.csv"))
    let trees = trees(at: url, in: pool, transport: Rows())
    let report = try await trees.refresh()
    #expect(report.added == 2)
    #expect(report.failureCount == 1)
    let stored = try await pool.read { try Tree.order(Column("id")).fetchAll($0) }
    #expect(
      stored == [Tree(id: 7, species: "榕樹", height: 12.5), Tree(id: 8, species: "樟樹", height: nil)])
  }
}
