import Foundation
import MeteorKit

/// A commit of one row costs the same however much is stored and however many snapshots are alive.
struct CommitBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let large = try await Filled(workbench, count: workbench.scaled(1_000_000))
    let small = try await Filled(workbench, count: workbench.scaled(45_716))
    try await table.race(
      "one-row commit, 10 snapshots alive, \(large.meteorites.count) rows, CPU",
      against: "the same with \(small.meteorites.count) rows", floor: 0.5
    ) {
      try await measured(times: 20) { try await large.change() }
    } baseline: {
      try await measured(times: 20) { try await small.change() }
    } check: { own, baseline in
      let isStored = try await (large.contains(own), small.contains(baseline))
      return isStored == (true, true)
    }
    try await large.store.close()
    try await small.store.close()
  }

  /// A store of which ten snapshots are alive.
  private final class Filled {
    let store: FileStore<Meteorite>
    let meteorites: [Meteorite]
    private var snapshots: [Snapshot<Meteorite>] = []
    private var round = 0.0

    init(_ workbench: Workbench, count: Int) async throws {
      meteorites = workbench.meteorites(count: count)
      store = FileStore(try await workbench.store("commits", meteorites))
      for _ in 0..<10 {
        snapshots.append(try await store.snapshot())
        _ = try await change()
      }
    }

    func change() async throws -> Meteorite {
      round += 1
      var meteorite = meteorites[Int(round) * 379 % meteorites.count]
      meteorite.massInGrams = round + 0.5
      try await store.commit(Changes(upserting: [meteorite]), checkpoint: nil, expecting: nil)
      return meteorite
    }

    func contains(_ meteorite: Meteorite) async throws -> Bool {
      try await store.snapshot()[id: meteorite.id] == meteorite
    }
  }
}
