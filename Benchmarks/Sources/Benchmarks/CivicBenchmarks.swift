import CivicKit
import Foundation
import GRDB

/// A search over the units of a large city, beside SQLite's index of trigrams.
struct CivicBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let units = Self.units(count: 100_000)
    let queue = try database(of: units)
    try await searches(units, queue, &table)
    try await storing(units, queue, &table)
    try queue.close()
  }

  private func searches(
    _ units: [CivicUnit], _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let store = InMemoryStore<CivicRecord>()
    try await store.commit(
      Changes(upserting: units.map(CivicRecord.unit)), checkpoint: nil, expecting: nil)
    let offline = Offline()
    let directory = CivicDirectory(
      source: nil, repository: store,
      feeds: CityFeeds(storage: .inMemory, transport: offline, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: offline))
    let view = try await directory.view()
    // A trigram index answers for three characters and more; shorter texts are not what it is for.
    for text in ["社會福利", "臺南市衛生局", "局第1234", "第99999號"] {
      let search = CivicSearch(text, fields: .name)
      let match = "\"\(search.text)\""
      var found = 0
      let (own, rival) = try await mediansInTurn(of: 21) {
        view.search(search)
      } rival: {
        try Self.units(named: match, in: queue)
      } end: { own, rival in
        try require(Set(own.map(\.id.rawValue)) == Set(rival.map(\.id)))
        found = own.count
      }
      table.add(
        "\"\(search.text)\" in 100,000 names, \(found) units, ranked", own: own,
        against: "FTS5 trigram, rows", rival, wanted: 5)
      let (counted, rivalCounted) = try await mediansInTurn(of: 21) {
        view.count(search)
      } rival: {
        try Self.count(named: match, in: queue)
      } end: { own, rival in
        try require(own == found && rival == found)
      }
      table.add(
        "\"\(search.text)\" in 100,000 names, counted", own: counted, against: "FTS5 trigram",
        rivalCounted, wanted: 1)
    }
  }

  private static func units(named match: String, in queue: DatabaseQueue) throws -> [FoundUnit] {
    try queue.read { db in
      try FoundUnit.fetchAll(
        db,
        sql: """
          SELECT unit.id, unit.name, unit.details FROM names
          JOIN unit ON unit.rowid = names.rowid WHERE names MATCH ?
          """, arguments: [match])
    }
  }

  private static func count(named match: String, in queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM names WHERE names MATCH ?", arguments: [match])
    }
  }

  private func storing(
    _ units: [CivicUnit], _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let folder = workbench.path("civic")
    let filling = Storage.directory(folder).store("civic", of: CivicRecord.self)
    _ = try await filling.commit(
      Changes(upserting: units.map(CivicRecord.unit)), checkpoint: nil, expecting: nil)
    try await filling.close()
    let asked = units[units.count / 2].id
    let path = queue.path
    let (own, rival) = try await mediansInTurn(of: 15) {
      let directory = CivicDirectory(storage: .directory(folder), transport: Offline())
      let view = try await directory.view()
      try require(view[asked] != nil)
      return (directory, view)
    } rival: {
      let queue = try DatabaseQueue(path: path)
      let rows = try await queue.read { try FoundUnit.fetchAll($0, sql: "SELECT * FROM unit") }
      try require(rows.count == units.count)
      return (queue, rows)
    } end: { own, rival in
      try await own.0.close()
      try rival.0.close()
    }
    table.add(
      "cold open of 100,000 units to first answer", own: own,
      against: "GRDB fetchAll, hand-written", rival, wanted: 1)

    let directory = CivicDirectory(storage: .directory(folder), transport: Offline())
    var round = 0
    let (commit, rivalCommit) = try await mediansInTurn(of: 51) {
      round += 1
      var unit = units[round * 379 % units.count]
      unit.details = "第\(round)次"
      try await directory.upsert(unit)
    } rival: {
      let unit = units[round * 379 % units.count]
      try await queue.write { [round] db in
        try db.execute(
          sql: "UPDATE unit SET details = ? WHERE id = ?",
          arguments: ["第\(round)次", unit.id.rawValue])
      }
    }
    table.add(
      "one-row commit of 100,000 units, durable", own: commit,
      against: "GRDB, WAL, synchronous=FULL", rivalCommit, wanted: 1)
    try await directory.close()
  }

  private func database(of units: [CivicUnit]) throws -> DatabaseQueue {
    let queue = try Rival.database(at: workbench.path("civic.sqlite"))
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE unit (id TEXT PRIMARY KEY, name TEXT NOT NULL, details TEXT);
          CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram', content = '')
          """)
      let insert = try db.makeStatement(sql: "INSERT INTO unit VALUES (?, ?, ?)")
      for unit in units {
        try insert.execute(arguments: [unit.id.rawValue, unit.name, unit.details])
      }
      try db.execute(sql: "INSERT INTO names (rowid, name) SELECT rowid, name FROM unit")
    }
    return queue
  }

  private static func units(count: Int) -> [CivicUnit] {
    let cities = ["臺南市", "嘉義市", "高雄市", "屏東縣", "彰化縣"]
    let offices = ["社會局", "衛生局", "教育局", "民政局", "地政局", "文化局", "交通局", "水利局"]
    let things = ["服務台", "社會福利科", "會議室", "廁所", "檔案室", "秘書室", "長照科", "諮詢櫃台"]
    var state: UInt64 = 20_170_222
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    return (0..<count).map { number in
      let office = offices[random(offices.count)]
      return CivicUnit(
        id: CivicUnit.ID(rawValue: "u\(number)"),
        name: "\(cities[random(cities.count)])\(office)第\(number)號\(things[random(things.count)])",
        details: "\(office)的第\(random(1000))項業務，洽本府各樓層。")
    }
  }

  /// The row as GRDB fetches it.
  private struct FoundUnit: FetchableRecord {
    let id: String
    let name: String
    let details: String?

    init(row: Row) {
      id = row[0]
      name = row[1]
      details = row[2]
    }
  }
}
