import Foundation
import MeteorKit

/// A stranger's plain `Codable` record beside `Meteorite`, and beside a plain `Codable` record of GRDB.
///
/// The stores of both catalogs are left as an app leaves them: the process that fills them makes each query once and closes
/// them, which stores the indexes, and only then are new processes measured. `Docs/benchmarks.md` describes each row.
struct RecordBenchmarks {
  private typealias Goal = RecordTable.Goal

  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout RecordTable) async throws {
    let rows = try LandingRows(workbench.meteorites)
    let places = try await Places(workbench, rows.rows)
    try await firstAnswers(places, &table)
    try await large(&table)
    try await importing(rows, &table)
    try await sizes(places, &table)
    try fields(places, &table)
    try await RunningRecords(workbench, rows.rows, places).run(into: &table)
  }

  /// Where the sides have stored the same rows.
  struct Places {
    let plain: URL
    let meteorite: URL
    /// A database without indexes.
    let bare: URL
    /// A database with indexes; for the most rows, the one without.
    let indexed: URL
    /// The ID to look up.
    let asked: Int

    init(_ workbench: Workbench, _ rows: [LandingRow], isIndexed: Bool = true) async throws {
      (plain, meteorite) = (workbench.path("plain"), workbench.path("meteorite"))
      bare = workbench.path("bare")
      indexed = isIndexed ? workbench.path("indexed") : bare
      asked = rows[rows.count / 2].id
      try await Self.fill(PlainSide(plain), rows, asked)
      try await Self.fill(MeteoriteSide(meteorite), rows, asked)
      try await Self.fill(GRDBSide.create(in: bare, isIndexed: false), rows, nil)
      if isIndexed {
        try await Self.fill(GRDBSide.create(in: indexed, isIndexed: true), rows, asked)
      }
    }

    private static func fill<Side: RecordSide>(
      _ side: Side, _ rows: [LandingRow], _ asked: Int?
    ) async throws {
      try await side.fill(rows.map(Side.record))
      if let asked { try await side.useOnce(asked) }
      try await side.close()
    }
  }

  // MARK: New processes

  private func firstAnswers(_ places: Places, _ table: inout RecordTable) async throws {
    let queries = Goal(overGRDB: 1, meteoriteOverGRDB: 1)
    let questions: [(RecordProcess.Question, String, Goal)] = [
      (.lookUp, "one look-up", Goal(overMeteorite: 1.3, overGRDB: 1)),
      (.heaviest, "the 50 heaviest", queries),
      (.text, "the first text search", queries),
      (.nearest, "the 10 nearest", queries),
    ]
    for (question, name, goal) in questions {
      try await race(question, "process → \(name)", goal: goal, in: places, &table)
    }
  }

  /// A look-up among 22 times as many rows, which GRDB stores without indexes.
  private func large(_ table: inout RecordTable) async throws {
    let count = (workbench.isQuick ? 2 : 22) * workbench.meteorites.count
    let rows = workbench.meteorites(count: count).compactMap(LandingRow.init)
    let places = try await Places(workbench, rows, isIndexed: false)
    let name = "process → one of \(count) rows"
    try await race(
      .lookUp, name, rounds: 5, goal: Goal(overMeteorite: 1.2), in: places, &table)
    try await race(
      .lookUp, "\(name), peak memory", unit: .bytes, rounds: 3, cost: { $0.peakMemory },
      in: places, &table)
    for place in [places.plain, places.meteorite, places.bare] {
      try FileManager.default.removeItem(at: place)
    }
  }

  private func race(
    _ question: RecordProcess.Question, _ work: String, unit: Unit = .nanoseconds,
    rounds: Int = 15, goal: Goal = Goal(),
    cost: (NewProcess.Cost) -> Double = { $0.nanoseconds }, in places: Places,
    _ table: inout RecordTable
  ) async throws {
    func ask(_ side: RecordProcess.Side, _ folder: URL) throws -> Run<String> {
      let run = try RecordProcess.ask(question, side, in: folder, id: places.asked)
      try require(!["none", "[]", "0"].contains(run.answer), "\(work): no answer")
      return Run(cost: cost(run), answer: run.answer)
    }
    try await table.race(work, unit: unit, rounds: rounds, goal: goal) {
      try ask(.plain, places.plain)
    } meteorite: {
      try ask(.meteorite, places.meteorite)
    } grdb: {
      try ask(.grdb, places.indexed)
    }
  }

  /// Creating a `Field`, and a look-up through one beside a look-up through the kit alone.
  private func fields(_ places: Places, _ table: inout RecordTable) throws {
    func ask(_ side: RecordProcess.Side, _ folder: URL) throws -> Run<String> {
      let run = try RecordProcess.ask(.lookUp, side, in: folder, id: places.asked)
      return Run(cost: run.nanoseconds, answer: run.answer)
    }
    try table.raceField("process → `Field` created", goal: 2_000_000) {
      try ask(.field, places.meteorite)
    }
    try table.raceField("process → one look-up of a `Meteorite`", goal: 1.3) {
      try ask(.meteoriteInField, places.meteorite)
    } alone: {
      try ask(.meteorite, places.meteorite)
    }
    try table.raceField("process → one look-up of a plain record", goal: 1.3) {
      try ask(.plainInField, places.plain)
    } alone: {
      try ask(.plain, places.plain)
    }
  }

  // MARK: Storing

  private func importing(_ rows: LandingRows, _ table: inout RecordTable) async throws {
    for isQueried in [false, true] {
      let asked = isQueried ? rows.rows[rows.rows.count / 2].id : nil
      try await table.race(
        isQueried ? "the same, with indexes" : "rows to a durable store", rounds: 5,
        goal: isQueried ? Goal() : Goal(overMeteorite: 1.5)
      ) {
        try await stored(rows, asked) { PlainSide($0) }
      } meteorite: {
        try await stored(rows, asked) { MeteoriteSide($0) }
      } grdb: {
        try await stored(rows, asked) { try GRDBSide.create(in: $0, isIndexed: isQueried) }
      }
    }
  }

  /// Reads JSON and stores its rows in a new folder, and returns their number.
  ///
  /// - Parameter asked: The ID to look up by queries that have the indexes built; `nil` for no queries.
  private func stored<Side: RecordSide>(
    _ rows: LandingRows, _ asked: Int?, in side: (URL) throws -> Side
  ) async throws -> Run<Int> {
    let folder = workbench.path("import")
    let run = try await measured {
      let side = try side(folder)
      try await side.fill(Side.records(reading: rows))
      if let asked { try await side.useOnce(asked) }
      let count = try await Side.count(in: side.view())
      try await side.close()
      return count
    }
    try FileManager.default.removeItem(at: folder)
    return run
  }

  private func sizes(_ places: Places, _ table: inout RecordTable) async throws {
    try table.add(
      "file", unit: .bytes, goal: Goal(overMeteorite: 1.3),
      plain: [size(PlainSide.file(in: places.plain))],
      meteorite: [size(MeteoriteSide.file(in: places.meteorite))],
      grdb: [size(GRDBSide.file(in: places.bare))])
    try table.add(
      "files, with indexes", unit: .bytes, plain: [total(places.plain)],
      meteorite: [total(places.meteorite)], grdb: [total(places.indexed)])
    try await race(
      .lookUp, "memory after one look-up", unit: .bytes, rounds: 5, goal: Goal(overMeteorite: 1.3),
      cost: { $0.addedMemory }, in: places, &table)
  }

  private func size(_ file: URL) throws -> Double {
    Double(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
  }

  private func total(_ folder: URL) throws -> Double {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .reduce(0) { try $0 + size($1) }
  }
}
