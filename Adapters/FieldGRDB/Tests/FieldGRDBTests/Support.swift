@testable import FieldCore
import FieldGRDB
import FieldTesting
import Foundation
import GRDB
import Testing

extension PortalStone: FetchableRecord, PersistableRecord {}
extension TableTree: FetchableRecord, PersistableRecord {}
extension ScenarioStone: FetchableRecord, PersistableRecord {}
extension ConformanceRecord: @retroactive FetchableRecord {}
extension ConformanceRecord: @retroactive MutablePersistableRecord {}
extension ConformanceRecord: @retroactive PersistableRecord {}

/// The target of the engine's tests, which those of `FieldCore` run with a store.
func freshTarget() throws -> any SyncTarget<PortalStone> {
  GRDBTable<PortalStone>(try stoneDatabase())
}

/// Returns a database in memory with a table of stones, and a column that they don't encode.
func stoneDatabase() throws -> DatabaseQueue {
  let database = try DatabaseQueue()
  try database.write { db in
    try db.create(table: "portalStone") { table in
      table.primaryKey("id", .text)
      table.column("value", .integer).notNull()
      table.column("note", .text)
      table.column("mine", .text)
    }
    try db.createSyncCheckpoints()
  }
  return database
}

/// A target of the sync scenarios, which those of `FieldCore` run with a store.
enum ScenarioTarget: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case table

  var testDescription: String { rawValue }

  /// A new target.
  struct Made {
    let target: any SyncTarget<ScenarioStone>
  }

  func make() throws -> Made {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "scenarioStone") { table in
        table.primaryKey("id", .text)
        table.column("value", .integer).notNull()
        table.column("note", .text)
      }
      try db.createSyncCheckpoints()
    }
    return Made(target: GRDBTable<ScenarioStone>(database))
  }
}

extension DatabaseQueue {
  /// All that the table contains, in the order of the keys.
  func rows(of table: String = "portalStone") throws -> [Row] {
    try read { try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY id") }
  }
}

/// The databases of the storages of a kit, by the folders of their assets.
private let databases = Lock<[URL: DatabaseQueue]>([:])

func treeTarget(_ bench: KitBench) throws -> any SyncTarget<TableTree> {
  // A storage in memory is a new one.
  let folder = try bench.storage.assets("trees")?.url
  let database = try databases.withLock { databases in
    if let folder, let known = databases[folder] { return known }
    let database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "tableTree") { table in
        table.primaryKey("id", .text)
        table.column("species", .text).notNull()
        table.column("height", .double)
      }
      try db.createSyncCheckpoints()
    }
    if let folder { databases[folder] = database }
    return database
  }
  return GRDBTable<TableTree>(database)
}
