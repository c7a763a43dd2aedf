import Foundation
import GRDB
import MeteorKit

/// Opening, looking up, and changing a little.
struct StoreBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let file = try await workbench.store("open.store", workbench.meteorites)
    let database = workbench.path("open.sqlite")
    let queue = try SQLite.database(at: database)
    try SQLite.insert(workbench.meteorites, into: queue)
    try queue.close()

    // What is opened is released after the clock has stopped, on both sides.
    let asked = workbench.meteorites[workbench.meteorites.count / 2].id
    try await table.race(
      "opening to first answer", against: "GRDB fetchAll, hand-written", floor: 4
    ) {
      try await measured {
        let store = FileStore<Meteorite>(file)
        return (store, try await store.snapshot()[id: asked])
      }
    } baseline: {
      try await measured {
        let queue = try DatabaseQueue(path: database.path)
        return (
          queue, try await queue.read { try StoredRow.fetchAll($0, sql: "SELECT * FROM meteorite") }
        )
      }
    } check: { own, baseline in
      try await own.0.close()
      try baseline.0.close()
      return baseline.1.contains { $0.name == own.1?.name && String($0.id) == asked.rawValue }
        && baseline.1.count == workbench.meteorites.count
    }
    try await lookUps(file, database, &table)
    try await upserts(file, database, &table)
  }

  private func lookUps(
    _ file: URL, _ database: URL, _ table: inout ResultTable
  ) async throws {
    let catalog = MeteoriteCatalog(
      source: FileRows<Meteorite>(file), repository: FileStore<Meteorite>(file))
    let view = try await catalog.view()
    let queue = try DatabaseQueue(path: database.path)
    var random = Synthetic.Random()
    let ids = (0..<100_000).map { _ in
      workbench.meteorites[random.next(below: workbench.meteorites.count)].id
    }
    let few = ids.prefix(5_000)
    let numbers = few.map(\.rawValue)
    var isWhole = true
    try await table.race(
      "look-up by ID on the view", against: "GRDB, cached statement", floor: 50
    ) {
      let asked = isWhole ? few : ids[...]
      return await measured(per: asked.count) {
        asked.reduce(0) { $0 + (view[$1]?.massInGrams ?? 0) }
      }
    } baseline: {
      try await measured(per: numbers.count) {
        try queue.read { db in
          try numbers.reduce(0) { try $0 + (SQLite.row($1, db)?.mass ?? 0) }
        }
      }
    } check: { own, baseline in
      // The first round looks up the same ones on both sides.
      defer { isWhole = false }
      return !isWhole || own == baseline && own > 0
    }
    try queue.close()
    try await catalog.close()
  }

  private func upserts(
    _ file: URL, _ database: URL, _ table: inout ResultTable
  ) async throws {
    let store = FileStore<Meteorite>(file)
    let queue = try SQLite.database(at: database)
    var round = 0.0
    func changed(_ positions: some Sequence<Int>) -> [Meteorite] {
      positions.map { position in
        var meteorite = workbench.meteorites[position]
        meteorite.massInGrams = (meteorite.massInGrams ?? 0) + round
        return meteorite
      }
    }
    /// Both sides contain the last changes.
    func isStored(_ meteorites: [Meteorite]) async throws -> Bool {
      let snapshot = try await store.snapshot()
      return try await queue.read { db in
        try meteorites.allSatisfy { meteorite in
          try snapshot[id: meteorite.id] == meteorite
            && SQLite.row(meteorite.id.rawValue, db)?.mass == meteorite.massInGrams
        }
      }
    }
    for (name, clock, floor) in [
      ("1 % upsert, CPU", Clock.cpu, 1.0), ("1 % upsert, durable, wall clock", .wall, 0.7),
    ] {
      var meteorites: [Meteorite] = []
      try await table.race(name, against: "GRDB, WAL, synchronous=FULL", floor: floor) {
        round += 1
        meteorites = changed(stride(from: 0, to: workbench.meteorites.count, by: 100))
        return try await measured(clock) {
          _ = try await store.commit(
            Changes(upserting: meteorites), checkpoint: Checkpoint(), expecting: nil)
        }
      } baseline: {
        try await measured(clock) { try SQLite.insert(meteorites, into: queue) }
      } check: { _, _ in
        try await isStored(meteorites)
      }
    }

    let sample = stride(
      from: 7, to: workbench.meteorites.count, by: workbench.meteorites.count / 20)
    var last: [Meteorite] = []
    func commitEach() async throws -> Run<Void> {
      round += 1
      last = changed(sample)
      return try await measured(per: last.count) {
        for meteorite in last {
          try await store.commit(
            Changes(upserting: [meteorite]), checkpoint: Checkpoint(), expecting: nil)
        }
      }
    }
    try await table.race(
      "one-row commit, CPU", against: "GRDB, WAL, synchronous=FULL", floor: 0.6
    ) {
      try await commitEach()
    } baseline: {
      try await measured(per: last.count) {
        for meteorite in last { try SQLite.insert([meteorite], into: queue) }
      }
    } check: { _, _ in
      try await isStored(last)
    }
    // The least that a durable change can cost.
    let plain = workbench.path("plain")
    try Data().write(to: plain)
    let handle = try FileHandle(forWritingTo: plain)
    let bytes = Data(repeating: 1, count: 200)
    try await table.race("one-row commit, CPU", against: "a plain write and sync", floor: 0.2) {
      try await commitEach()
    } baseline: {
      try await measured(per: last.count) {
        for _ in last {
          try handle.write(contentsOf: bytes)
          try handle.synchronize()
        }
        return try handle.offset()
      }
    } check: { _, size in
      let snapshot = try await store.snapshot()
      return size > 0 && last.allSatisfy { snapshot[id: $0.id] == $0 }
    }
    try handle.close()
    try await store.close()
    try queue.close()
  }
}
