import Foundation
import GRDB
import MeteorKit

/// ``ReadersAndWriter`` of meteorites.
///
/// A read is a view, a look-up, and the 50 heaviest, which every commit may change. Each side counts what it gets done in the
/// same time, so a cost is the time of the race divided by that number.
struct SharingBenchmarks {
  private let workbench: Workbench
  /// How long a race takes, in seconds.
  private let seconds: Double

  init(_ workbench: Workbench) {
    self.workbench = workbench
    seconds = workbench.isQuick ? 0.05 : 2
  }

  private typealias Outcome = ReadersAndWriter.Outcome

  func run(into table: inout ResultTable) async throws {
    let meteorites = workbench.meteorites
    let file = try await workbench.store("sharing", meteorites)
    let store = FileStore<Meteorite>(file)
    let catalog = MeteoriteCatalog(source: FileRows<Meteorite>(file), repository: store)
    let path = workbench.path("sharing")
    try SQLite.indexed(meteorites, at: path).close()
    let pool = try SQLite.pool(at: path)

    let race = ReadersAndWriter(seconds: seconds)
    let own: @Sendable () async throws -> (reads: Outcome, commits: Outcome) = {
      try await race.run { number in
        let view = try await catalog.view()
        let meteorite = meteorites[number % meteorites.count]
        return view[meteorite.id] != nil
          && view.find(MeteoriteQuery(order: .massDescending, limit: 50)).count == 50
      } commit: { number in
        try await store.commit(
          Changes(upserting: [changed(meteorites, number)]), checkpoint: nil, expecting: nil)
      }
    }
    let baseline: @Sendable () async throws -> (reads: Outcome, commits: Outcome) = {
      try await race.run { number in
        try await pool.read { db in
          try SQLite.row(meteorites[number % meteorites.count].id.rawValue, db) != nil
            && SQLite.heaviest(db).count == 50
        }
      } commit: { number in
        try await pool.write { try SQLite.put([changed(meteorites, number)], $0) }
      }
    }
    func cost(_ outcome: Outcome) -> Double { seconds * 1e9 / Double(max(outcome.count, 1)) }
    try await table.race(
      "a read beside a writer, wall clock", against: "GRDB, WAL, synchronous=FULL", floor: 2,
      rounds: 3
    ) {
      let outcome = try await own()
      return Run(cost: cost(outcome.reads), answer: outcome)
    } baseline: {
      Run(cost: cost(try await baseline().reads), answer: ())
    } check: { own, _ in
      own.reads.count > 0 && own.commits.count > 0
    }
    try await table.race(
      "a commit beside two readers, wall clock", against: "GRDB, WAL, synchronous=FULL",
      floor: 0.4, rounds: 3
    ) {
      Run(cost: cost(try await own().commits), answer: ())
    } baseline: {
      Run(cost: cost(try await baseline().commits), answer: ())
    }
    try await table.race(
      "the longest wait of them all, wall clock", against: "GRDB, WAL, synchronous=FULL",
      floor: 0.2, rounds: 3
    ) {
      let outcome = try await own()
      return Run(cost: max(outcome.reads.longest, outcome.commits.longest), answer: ())
    } baseline: {
      let outcome = try await baseline()
      return Run(cost: max(outcome.reads.longest, outcome.commits.longest), answer: ())
    }
    try await store.close()
    try pool.close()
  }

  private func changed(_ meteorites: [Meteorite], _ number: Int) -> Meteorite {
    var meteorite = meteorites[number &* 379 % meteorites.count]
    meteorite.massInGrams = Double(number % 1_000_003) + 0.5
    return meteorite
  }
}
