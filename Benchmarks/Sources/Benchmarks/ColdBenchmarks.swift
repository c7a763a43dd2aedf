import Foundation
import MeteorKit

/// The first answers of new processes, and their memory.
struct ColdBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let meteorites = workbench.meteorites
    let file = try await workbench.store("cold.store", meteorites)
    try await storeIndexes(file)
    let database = workbench.path("cold.sqlite")
    try SQLite.indexed(meteorites, at: database).close()
    let asked = meteorites[meteorites.count / 2].id.rawValue
    let questions: [(NewProcess.Question, String, String, Double, String)] = [
      (.lookUp, "one look-up", "GRDB, fetchOne", 0.35, asked),
      (.heaviest, "the 50 heaviest", "GRDB, index", 0.2, ""),
      (.text, "\"yam\" in names, counted", "FTS5 trigram", 0.15, "yam"),
      (.nearest, "the 10 nearest", "R*Tree, square of 10°, sorted", 1, ""),
    ]
    for (question, name, baselineName, floor, argument) in questions {
      try await table.raceCold(
        question, "new process to \(name)", against: baselineName, floor: floor, own: file,
        baseline: database, argument: argument)
    }
    try await limit(of: asked, file, &table)
    try await memory(file, &table)
    try await large(&table)
  }

  /// Asks what new processes are asked, so that their indexes are beside the file, as those of SQLite are in its file.
  private func storeIndexes(_ file: URL) async throws {
    let catalog = MeteoriteCatalog(
      source: FileRows<Meteorite>(file), repository: FileStore<Meteorite>(file))
    let view = try await catalog.view()
    for question in [NewProcess.Question.heaviest, .text, .nearest] {
      _ = try NewProcess.answer(question, view, "yam")
    }
    try await catalog.close()
  }

  /// A look-up beside LMDB, which maps its file, finds a page, and checks nothing.
  private func limit(of asked: String, _ file: URL, _ table: inout ResultTable) async throws {
    let (rows, database) = (workbench.path("rows.ndjson"), workbench.path("cold.lmdb"))
    try Data(workbench.ndjson).write(to: rows)
    guard try LMDB.fill(database, from: rows) else { return print("skipped: Python has no lmdb") }
    try await table.race(
      "new process to one look-up", against: "LMDB, from opening on", floor: 0.01, rounds: 15
    ) {
      let run = try NewProcess.ask(.lookUp, "own", file, asked)
      return Run(cost: run.nanoseconds, answer: run.answer)
    } baseline: {
      try LMDB.lookUp(asked, in: database)
    } check: { own, baseline in
      own == baseline
    }
  }

  /// The memory for each record.
  private func memory(_ file: URL, _ table: inout ResultTable) async throws {
    let json = workbench.path("rows.json")
    try Data(workbench.json).write(to: json)
    let count = Double(workbench.meteorites.count)
    for (question, name, floor) in [
      (NewProcess.Question.records, "opened", 3.0), (.masses, "all used", 1),
    ] {
      try await table.raceCold(
        question, "memory per record, \(name)", against: "JSONDecoder, structs", floor: floor,
        rounds: 5, unit: .bytes, cost: { $0.addedMemory / count }, own: file, baseline: json)
    }
  }

  /// A look-up among 22 times as many rows.
  private func large(_ table: inout ResultTable) async throws {
    let meteorites = workbench.meteorites(count: 22 * workbench.meteorites.count)
    let file = try await workbench.store("large.store", meteorites)
    let database = workbench.path("large.sqlite")
    let queue = try SQLite.database(at: database)
    try SQLite.insert(meteorites, into: queue)
    try queue.close()
    let asked = meteorites[meteorites.count / 2].id.rawValue
    let name = "new process to one of \(meteorites.count) rows"
    try await table.raceCold(
      .lookUp, name, against: "GRDB, fetchOne", floor: 0.03, rounds: 5, own: file,
      baseline: database, argument: asked)
    try await table.raceCold(
      .lookUp, "\(name), peak memory", against: "GRDB, fetchOne", floor: 0.2, rounds: 3,
      unit: .bytes, cost: { $0.peakMemory }, own: file, baseline: database, argument: asked)
  }
}
