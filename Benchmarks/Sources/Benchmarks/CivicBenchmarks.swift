import CivicKit
import Foundation
import GRDB

/// A search over the units of a large city, beside SQLite's index of trigrams.
struct CivicBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let count = workbench.scaled(100_000)
    let units = Self.units(count: count)
    let queue = try database(of: units)
    try await searches(units, queue, &table)
    try await lookUps(units, queue, &table)
    let folder = workbench.path("civic")
    let filling = Storage.directory(folder).store("civic", of: CivicRecord.self)
    _ = try await filling.commit(
      Changes(upserting: units.map(CivicRecord.unit)), checkpoint: nil, expecting: nil)
    try await filling.close()
    let database = URL(filePath: queue.path)
    try await table.raceCold(
      .unit, "new process to one of \(count) units", against: "GRDB, fetchOne", floor: 0.15,
      own: folder, baseline: database, argument: units[count / 2].id.rawValue)
    try await table.raceCold(
      .unitSearch, "new process to a search of \(count) units", against: "FTS5 trigram, rows",
      floor: 0.35, own: folder, baseline: database, argument: "社會福利")
    try await storing(units, folder, queue, &table)
    try queue.close()
  }

  private func searches(
    _ units: [CivicUnit], _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let view = try await view(of: units)
    // A trigram index answers for three characters and more; shorter texts are not what it is for.
    for text in ["社會福利", "臺南市衛生局", "局第1234", "第99999號"] {
      let search = CivicSearch(text, fields: .name)
      try await table.race(
        "\"\(search.text)\" in \(units.count) names, ranked", against: "FTS5 trigram, rows",
        floor: 4, rounds: 21
      ) {
        await measured(times: 3) { view.search(search) }
      } baseline: {
        try await measured(times: 3) { try queue.read { try Self.units(named: search.text, $0) } }
      } check: { own, baseline in
        Set(own.map(\.id.rawValue)) == Set(baseline.map(\.id))
      }
      try await table.race(
        "\"\(search.text)\" in \(units.count) names, counted", against: "FTS5 trigram", floor: 3,
        rounds: 21
      ) {
        await measured(times: 10) { view.count(search) }
      } baseline: {
        try await measured(times: 3) { try queue.read { try Self.count(named: search.text, $0) } }
      } check: { own, baseline in
        own == baseline
      }
    }
  }

  /// Look-ups of random units by their IDs, which are texts.
  private func lookUps(
    _ units: [CivicUnit], _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let view = try await view(of: units)
    let dictionary = Dictionary(uniqueKeysWithValues: units.map { ($0.id.rawValue, $0) })
    var random = Synthetic.Random()
    let ids = (0..<20_000).map { _ in units[random.next(below: units.count)].id }
    func ownLengths() async -> Run<Int> {
      await measured(per: ids.count) { ids.reduce(0) { $0 + (view[$1]?.name.utf8.count ?? 0) } }
    }
    try await table.race(
      "look-up by a text ID, \(units.count)", against: "GRDB, cached statement", floor: 4
    ) {
      await ownLengths()
    } baseline: {
      try await measured(per: ids.count) {
        try queue.read { db in
          try ids.reduce(0) { try $0 + (Self.unit($1.rawValue, db)?.name.utf8.count ?? 0) }
        }
      }
    } check: { own, baseline in
      own == baseline && own > 0
    }
    try await table.race(
      "look-up by a text ID, \(units.count)", against: "Swift's Dictionary", floor: 0.3
    ) {
      await ownLengths()
    } baseline: {
      await measured(per: ids.count) {
        ids.reduce(0) { $0 + (dictionary[$1.rawValue]?.name.utf8.count ?? 0) }
      }
    } check: { own, baseline in
      own == baseline
    }
  }

  private func view(of units: [CivicUnit]) async throws -> CivicView {
    let store = InMemoryStore<CivicRecord>()
    try await store.commit(
      Changes(upserting: units.map(CivicRecord.unit)), checkpoint: nil, expecting: nil)
    let offline = Offline()
    return try await CivicDirectory(
      source: nil, repository: store,
      feeds: CityFeeds(storage: .inMemory, transport: offline, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: offline)
    ).view()
  }

  static func unit(_ id: String, _ db: Database) throws -> FoundUnit? {
    let statement = try db.cachedStatement(sql: "SELECT id, name, details FROM unit WHERE id = ?")
    return try FoundUnit.fetchOne(statement, arguments: [id])
  }

  static func units(named text: String, _ db: Database) throws -> [FoundUnit] {
    try FoundUnit.fetchAll(
      db,
      sql: """
        SELECT unit.id, unit.name, unit.details FROM names
        JOIN unit ON unit.rowid = names.rowid WHERE names MATCH ?
        """, arguments: ["\"\(text)\""])
  }

  private static func count(named text: String, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM names WHERE names MATCH ?", arguments: ["\"\(text)\""])
  }

  private func storing(
    _ units: [CivicUnit], _ folder: URL, _ queue: DatabaseQueue, _ table: inout ResultTable
  ) async throws {
    let asked = units[units.count / 2]
    let path = queue.path
    try await table.race(
      "opening \(units.count) units to first answer", against: "GRDB fetchAll, hand-written",
      floor: 2, rounds: 15
    ) {
      try await measured {
        let directory = CivicDirectory(storage: .directory(folder), transport: Offline())
        return (directory, try await directory.view()[asked.id])
      }
    } baseline: {
      try await measured {
        let queue = try DatabaseQueue(path: path)
        return (
          queue, try await queue.read { try FoundUnit.fetchAll($0, sql: "SELECT * FROM unit") }
        )
      }
    } check: { own, baseline in
      try await own.0.close()
      try baseline.0.close()
      return own.1 == asked && baseline.1.count == units.count
        && baseline.1.contains { $0.id == asked.id.rawValue && $0.name == asked.name }
    }

    let directory = CivicDirectory(storage: .directory(folder), transport: Offline())
    var round = 0
    func changed() -> CivicUnit {
      var unit = units[round * 379 % units.count]
      unit.details = "第\(round)次"
      return unit
    }
    try await table.race(
      "one-row commit of \(units.count) units, CPU", against: "GRDB, WAL, synchronous=FULL",
      floor: 0.6, rounds: 51
    ) {
      round += 1
      let unit = changed()
      return try await measured {
        try await directory.upsert(unit)
        return unit
      }
    } baseline: {
      let unit = changed()
      return try await measured {
        try await queue.write { db in
          try db.execute(
            sql: "UPDATE unit SET details = ? WHERE id = ?",
            arguments: [unit.details, unit.id.rawValue])
        }
      }
    } check: { unit, _ in
      let stored = try await directory.view()[unit.id]
      return try await queue.read { db in
        try stored == unit && Self.unit(unit.id.rawValue, db)?.details == unit.details
      }
    }
    try await directory.close()
  }

  private func database(of units: [CivicUnit]) throws -> DatabaseQueue {
    let queue = try SQLite.database(at: workbench.path("civic.sqlite"))
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
    var random = Synthetic.Random()
    return (0..<count).map { number in
      let office = offices[random.next(below: offices.count)]
      return CivicUnit(
        id: CivicUnit.ID(rawValue: "u\(number)"),
        name: """
          \(cities[random.next(below: cities.count)])\(office)第\(number)號\
          \(things[random.next(below: things.count)])
          """,
        details: "\(office)的第\(random.next(below: 1000))項業務，洽本府各樓層。")
    }
  }

  /// The row as GRDB fetches it.
  struct FoundUnit: FetchableRecord {
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
