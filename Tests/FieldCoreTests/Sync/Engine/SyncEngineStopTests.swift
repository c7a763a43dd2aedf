import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A sync engine run that stops", .heavy)
struct SyncEngineStopTests {
  /// How many seeds are tried; `FIELDKIT_LONG=1 FIELDKIT_SEEDS=500` is the longest
  /// form, which `Scripts/Checks/soak-sync.sh` runs.
  static let seeds = Int(ProcessInfo.processInfo.environment["FIELDKIT_SEEDS"] ?? "") ?? 50

  // S19 of Docs/old-apps.md
  @Test(
    "a sync engine run that stops after any single step resumes to the same end",
    arguments: [DeletionPolicy.never, .bySnapshot, .byKeys])
  func everyStep(deletion: DeletionPolicy) async throws {
    var last = 0
    for step in Sample.steps(from: 0, apart: 3, inDebug: 6) {
      last = step
      if try await SyncStops.stop(after: step, deletion, on: try freshTarget()) { break }
    }
    #expect(last > 10)
  }

  // S19 of Docs/old-apps.md
  @Test("a sync engine run that stops at random steps while the portal changes loses nothing")
  func randomSteps() async throws {
    for seed in Sample.of(0..<UInt64(Self.seeds), 8) {
      try await SyncStops.play(SeededGenerator(seed: seed), on: try freshTarget(), "seed \(seed)")
    }
  }
}

/// The targets of the tests that the package `Adapters/FieldGRDB` runs with tables.
func freshTarget() throws -> any SyncTarget<PortalStone> { InMemoryStore<PortalStone>() }

func treeTarget(_ bench: KitBench) throws -> any SyncTarget<TableTree> {
  let store: any RecordStore<TableTree> = bench.storage.store("trees")
  return store
}
