import Foundation
import MeteorKit

/// The benchmarks of records in one process: queries of a view, commits, and readers beside a writer.
struct RunningRecords {
  private typealias Goal = RecordTable.Goal

  private let workbench: Workbench
  private let rows: [LandingRow]
  private let plain: PlainSide
  private let meteorite: MeteoriteSide
  private let places: RecordBenchmarks.Places

  init(_ workbench: Workbench, _ rows: [LandingRow], _ places: RecordBenchmarks.Places) {
    (self.workbench, self.rows, self.places) = (workbench, rows, places)
    (plain, meteorite) = (PlainSide(places.plain), MeteoriteSide(places.meteorite))
  }

  func run(into table: inout RecordTable) async throws {
    try await queries(&table)
    try await commits(&table)
    try await sharing(&table)
    try await plain.close()
    try await meteorite.close()
  }

  // MARK: Queries of a view that answered the same ones before

  private func queries(_ table: inout RecordTable) async throws {
    let grdb = try GRDBSide(places.indexed)
    try await table.race("the 50 heaviest, warm", goal: Goal(most: 10_000)) {
      try await heaviest(of: plain)
    } meteorite: {
      try await heaviest(of: meteorite)
    } grdb: {
      try await heaviest(of: grdb)
    }
    try await table.race("range of 20 in order, warm", goal: Goal(most: 10_000)) {
      try await heaviestOfRange(of: plain)
    } meteorite: {
      try await heaviestOfRange(of: meteorite)
    } grdb: {
      try await heaviestOfRange(of: grdb)
    }
    var random = Synthetic.Random()
    let ids = (0..<workbench.scaled(20_000)).map { _ in rows[random.next(below: rows.count)].id }
    try await table.race("one look-up, warm") {
      try await lookUps(of: ids, in: plain)
    } meteorite: {
      try await lookUps(of: ids, in: meteorite)
    } grdb: {
      try await lookUps(of: ids, in: grdb)
    }
    try await grdb.close()
  }

  private func heaviest<Side: RecordSide>(of side: Side) async throws -> Run<[Double?]> {
    let view = try await side.view()
    let run = try await measured(times: 50) { try Side.heaviest(in: view) }
    return Run(cost: run.cost, answer: Side.masses(run.answer))
  }

  private func heaviestOfRange<Side: RecordSide>(of side: Side) async throws -> Run<[Double?]> {
    let view = try await side.view()
    let run = try await measured(times: 50) { try Side.heaviestOfRange(in: view) }
    return Run(cost: run.cost, answer: Side.masses(run.answer))
  }

  private func lookUps<Side: RecordSide>(of ids: [Int], in side: Side) async throws -> Run<Double> {
    let view = try await side.view()
    return try await measured(per: ids.count) { try Side.grams(of: ids, in: view) }
  }

  // MARK: Commits

  private func commits(_ table: inout RecordTable) async throws {
    let few = stride(from: 7, to: rows.count, by: rows.count / 20).map { rows[$0] }
    let many = stride(from: 0, to: rows.count, by: 100).map { rows[$0] }
    for isQueried in [false, true] {
      // A database whose indexes nobody uses needs none.
      let grdb = try GRDBSide.writer(in: isQueried ? places.indexed : places.bare)
      for (name, isEach) in [("one-row commit", true), ("1 % upsert", false)] {
        var changed = isEach ? few : many
        try await table.race(
          isQueried ? "\(name), a text search, and the 50 heaviest" : name,
          goal: isQueried ? Goal() : Goal(overMeteorite: 1.1)
        ) {
          for place in changed.indices { changed[place].mass = (changed[place].mass ?? 0) + 1 }
          return try await commit(changed, isEach, isQueried, to: plain)
        } meteorite: {
          try await commit(changed, isEach, isQueried, to: meteorite)
        } grdb: {
          try await commit(changed, isEach, isQueried, to: grdb)
        }
      }
      try await grdb.close()
    }
  }

  /// Commits changed rows one by one or at once; the cost is that of one commit.
  private func commit<Side: RecordSide>(
    _ changed: [LandingRow], _ isEach: Bool, _ isQueried: Bool, to side: Side
  ) async throws -> Run<Double> {
    let records = changed.map(Side.record)
    let commits = isEach ? records.map { [$0] } : [records]
    let run = try await measured(per: commits.count) {
      for commit in commits {
        try await side.commit(commit)
        guard isQueried else { continue }
        let view = try await side.view()
        try require(
          try Side.count(named: "yam", in: view) > 0 && Side.heaviest(in: view).count == 50,
          "a query has no result")
      }
    }
    return Run(cost: run.cost, answer: try await Side.grams(of: changed.map(\.id), in: side.view()))
  }

  // MARK: Two readers beside a writer

  private func sharing(_ table: inout RecordTable) async throws {
    let grdb = try GRDBSide.pool(in: places.indexed)
    var reads: [[Double]] = [[], [], []]
    var commits = reads
    var waits = reads
    for _ in 0..<(workbench.isQuick ? 1 : 3) {
      let outcomes = [
        try await share(plain), try await share(meteorite), try await share(grdb),
      ]
      for (side, outcome) in outcomes.enumerated() {
        reads[side].append(Double(outcome.reads.count) / seconds)
        commits[side].append(Double(outcome.commits.count) / seconds)
        waits[side].append(max(outcome.reads.longest, outcome.commits.longest))
      }
    }
    let name = "two readers beside a writer"
    for (what, rates, least) in [("reads", reads, 10_000.0), ("commits", commits, 1_500)] {
      let median = rates.map { [Spread($0).median] }
      table.add(
        "\(name), \(what) a second", unit: .perSecond, goal: Goal(least: least), plain: median[0],
        meteorite: median[1], grdb: median[2])
    }
    let longest = waits.map { [Spread($0).maximum] }
    table.add(
      "\(name), longest wait", goal: Goal(most: 100_000_000), plain: longest[0],
      meteorite: longest[1], grdb: longest[2])
    try await grdb.close()
  }

  private var seconds: Double { workbench.isQuick ? 0.1 : 4 }

  private func share<Side: RecordSide>(
    _ side: Side
  ) async throws -> (reads: ReadersAndWriter.Outcome, commits: ReadersAndWriter.Outcome) {
    let rows = rows
    // The first read builds or reads the indexes.
    try require(try await side.read(rows[0].id), "a row is missing")
    let outcome = try await ReadersAndWriter(seconds: seconds).run { number in
      try await side.read(rows[number % rows.count].id)
    } commit: { number in
      var row = rows[number &* 379 % rows.count]
      row.mass = Double(number % 1_000_003) + 0.5
      try await side.write(Side.record(row))
    }
    try require(outcome.reads.count > 0 && outcome.commits.count > 0, "a task got nothing done")
    return outcome
  }
}
