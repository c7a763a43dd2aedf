import Foundation
import MeteorKit

/// A commit of one row costs the same however much is stored and however many snapshots are alive.
struct CommitBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let small = try await oneRow(of: 45_716)
    let large = try await oneRow(of: 1_000_000)
    table.add(
      "one-row commit, 10 snapshots alive, 1,000,000 rows", own: large,
      against: "the same at 45,716 rows", small, wanted: 0.5)
  }

  private func oneRow(of count: Int) async throws -> Duration {
    let store = FileStore<Meteorite>(workbench.path("commit-\(count)"))
    let meteorites = (0..<count).map { position in
      var meteorite = workbench.meteorites[position % workbench.meteorites.count]
      meteorite.id = Meteorite.ID(UInt64(position + 1))
      return meteorite
    }
    try await store.commit(Changes(upserting: meteorites), checkpoint: nil, expecting: nil)
    var snapshots: [Snapshot<Meteorite>] = []
    for position in 0..<10 {
      snapshots.append(try await store.snapshot())
      try await touch(meteorites[position], in: store, mass: 1)
    }
    var round = 0.0
    let time = try await median(of: 101) {
      round += 1
      try await touch(meteorites[Int(round) * 379 % count], in: store, mass: round + 0.5)
    }
    try require(snapshots.count == 10)
    try await store.close()
    return time
  }

  private func touch(
    _ meteorite: Meteorite, in store: FileStore<Meteorite>, mass: Double
  ) async throws {
    var meteorite = meteorite
    meteorite.massInGrams = mass
    try await store.commit(Changes(upserting: [meteorite]), checkpoint: nil, expecting: nil)
  }
}
