import FieldCore
import FieldGRDB
import Foundation
import GRDB

// Fills a table with made-up trees, for Scripts/Checks/grdb-kill.py and Scripts/Checks/grdb-measure.py:
//
//   SyncTool sync PATH ROWS GENERATION [PAGE]    syncs the trees of a generation
//   SyncTool plain PATH ROWS                     inserts those of the generation 0 in a loop

let arguments = CommandLine.arguments
guard arguments.count >= 4, let rows = Int(arguments[3]) else {
  print("usage: SyncTool sync|plain PATH ROWS [GENERATION [PAGE]]")
  exit(2)
}
/// Inserts the pages without FieldKit, and without a position to continue from.
func insert(_ source: MadeTrees, into database: DatabasePool) async throws {
  var request = PageRequest(size: source.options.pageSize)
  while true {
    let page = try await source.page(request)
    if page.records.isEmpty { return }
    try await database.write { db in
      for tree in page.records { try tree.insert(db) }
    }
    request.position = page.facts.end
  }
}

let database = try DatabasePool(path: arguments[2])
var migrator = DatabaseMigrator()
migrator.registerMigration("trees") { db in
  try db.create(table: "tree") { table in
    table.primaryKey("id", .integer)
    table.column("species", .text).notNull()
    table.column("district", .text).notNull()
    table.column("height", .double)
    table.column("planted", .integer).notNull()
    table.column("version", .integer).notNull()
  }
  try db.createSyncCheckpoints()
}
try migrator.migrate(database)

var source = MadeTrees(
  rows: rows, generation: arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0,
  pageSize: arguments.count > 5 ? Int(arguments[5]) ?? 10_000 : 10_000)
// A process that kills this one counts the lines.
if ProcessInfo.processInfo.environment["SYNC_TOOL_LINES"] != nil {
  source.willRead = { FileHandle.standardError.write(Data("page\n".utf8)) }
}
if arguments[1] == "plain" {
  try await insert(source, into: database)
} else {
  let trees = SyncedTable(
    "trees", source: source, target: GRDBTable(database, of: Tree.self),
    snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1, pageSize: nil))
  let report = try await trees.refresh(.now)
  print(report.outcome, report.rows, report.added, report.updated, report.removed)
}
