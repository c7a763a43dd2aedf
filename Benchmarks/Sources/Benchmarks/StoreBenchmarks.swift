import Foundation
import GRDB
import MeteorKit

/// Opening, looking up, and changing a little.
struct StoreBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let file = workbench.path("open.store")
    let database = workbench.path("open.sqlite")
    let filling = FileStore<Meteorite>(file)
    try await filling.commit(
      Changes(upserting: workbench.meteorites), checkpoint: Checkpoint(), expecting: nil)
    try await filling.close()
    let queue = try Rival.database(at: database)
    try Rival.insert(workbench.meteorites, into: queue)
    try queue.close()

    // To the first answer: all records typed and in memory, and one of them asked for.
    let asked = workbench.meteorites[workbench.meteorites.count / 2].id
    // What is opened is let go after the clock has stopped, on both sides.
    let (own, rival) = try await mediansInTurn {
      let store = FileStore<Meteorite>(file)
      let snapshot = try await store.snapshot()
      try require(snapshot[id: asked] != nil)
      return (store, snapshot)
    } rival: {
      let queue = try DatabaseQueue(path: database.path)
      let rows = try await queue.read { try StoredRow.fetchAll($0, sql: "SELECT * FROM meteorite") }
      try require(rows.count == workbench.meteorites.count)
      return (queue, rows)
    } end: { own, rival in
      try await own.0.close()
      try rival.0.close()
    }
    table.add(
      "cold open to first answer", own: own, against: "GRDB fetchAll, hand-written", rival,
      wanted: 2)

    try await lookUps(file, database, &table)
    try await upserts(file, database, &table)
  }

  private func lookUps(_ file: URL, _ database: URL, _ table: inout ResultTable) async throws {
    var generator = SystemRandomNumberGenerator()
    let ids = (0..<100_000).map { _ in
      workbench.meteorites.randomElement(using: &generator)?.id ?? 1
    }
    let catalog = MeteoriteCatalog(
      source: MeteoriteFile(file),
      repository: FileStore<Meteorite>(file))
    let view = try await catalog.view()
    let queue = try DatabaseQueue(path: database.path)
    let numbers = ids.prefix(10_000).compactMap { Int64($0.rawValue) }
    let (own, rival) = try await mediansInTurn {
      try require(ids.count { view[$0]?.massInGrams != nil } > 0)
    } rival: {
      let hits = try await queue.read { db in
        let statement = try db.cachedStatement(sql: "SELECT * FROM meteorite WHERE id = ?")
        return try numbers.count { number in
          try StoredRow.fetchOne(statement, arguments: [number]) != nil
        }
      }
      try require(hits > 0)
    }
    table.add(
      "look-up by id on the view", own: own / ids.count, against: "GRDB, cached statement",
      rival / numbers.count, wanted: 50)
    try queue.close()
    try await catalog.close()
  }

  private func upserts(_ file: URL, _ database: URL, _ table: inout ResultTable) async throws {
    let store = FileStore<Meteorite>(file)
    let queue = try Rival.database(at: database)
    var round = 0.0
    func changed() -> [Meteorite] {
      round += 1
      return stride(from: 0, to: workbench.meteorites.count, by: 100).map { position in
        var meteorite = workbench.meteorites[position]
        meteorite.massInGrams = (meteorite.massInGrams ?? 0) + round
        return meteorite
      }
    }
    let own = try await median {
      try await store.commit(
        Changes(upserting: changed()), checkpoint: Checkpoint(), expecting: nil)
    }
    let rival = try median { try Rival.insert(changed(), into: queue) }
    table.add(
      "1 % upsert, durable", own: own, against: "GRDB, WAL, synchronous=FULL", rival, wanted: 1)
    try await store.close()
    try queue.close()
  }
}
