import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Sync target conformance")
struct SyncTargetConformanceTests {
  @Test("sync target conformance passes a custom target")
  func custom() async throws {
    try await SyncTargetConformance.run { DefectiveTarget() }
  }

  @Test("sync target conformance passes the stores, in memory and in a file")
  func stores() async throws {
    try await SyncTargetConformance.run { InMemoryStore<ConformanceRecord>() }
    try await SyncTargetConformance.run(reopening: { folder in
      FileStore<ConformanceRecord>(folder.appending(path: "records"))
    })
  }

  @Test(
    "sync target conformance finds each defect by the case that is about it",
    arguments: DefectiveTarget.Defect.allCases)
  func defects(_ defect: DefectiveTarget.Defect) async throws {
    let failures = try await Self.failures(
      of: defect, excluding: SyncTargetConformance.allCases.subtracting(defect.failingCases))
    #expect(Set(failures.map(\.testCase)) == defect.failingCases, "\(failures)")
  }

  @Test(
    "sync target conformance finds a defect among all cases", .heavy,
    arguments: Sample.of(DefectiveTarget.Defect.allCases, 2, inDebug: 1))
  func defectsAmongAll(_ defect: DefectiveTarget.Defect) async throws {
    let failures = try await Self.failures(of: defect)
    #expect(
      Set(failures.map(\.testCase)).isSuperset(of: defect.failingCases),
      "\(failures.map(\.description))")
  }

  @Test("sync target conformance has a planted defect for each case")
  func everyCase() {
    let found = DefectiveTarget.Defect.allCases.reduce(into: Set()) {
      $0.formUnion($1.failingCases)
    }
    // Only a target with threads of its own can show half a transaction.
    #expect(SyncTargetConformance.allCases.subtracting(found) == [.wholeTransactions])
  }

  @Test("sync target conformance finds a target that shows records before their checkpoint")
  func halves() async throws {
    let failures = try await SyncTargetConformance.failures(
      excluding: SyncTargetConformance.allCases.subtracting([.wholeTransactions])
    ) { HalvingTarget() }
    #expect(failures.map(\.testCase) == [.wholeTransactions])
  }

  @Test("sync target conformance skips the cases that are excluded")
  func excluded() async throws {
    let failures = try await SyncTargetConformance.failures(excluding: [.removal]) {
      DefectiveTarget(.removesFirst)
    }
    #expect(!failures.map(\.testCase).contains(.removal))
  }

  private static func failures(
    of defect: DefectiveTarget.Defect, excluding: Set<SyncTargetConformance.Case> = []
  ) async throws -> [ConformanceFailure<SyncTargetConformance.Case>] {
    let disks = Lock<[URL: DefectiveTarget.Disk]>([:])
    return try await SyncTargetConformance.failures(
      excluding: excluding, patience: .seconds(60),
      reopening: { folder in
        let disk = disks.withLock { disks in
          let disk = disks[folder] ?? DefectiveTarget.Disk()
          disks[folder] = disk
          return disk
        }
        return DefectiveTarget(defect, on: disk)
      })
  }
}

/// A target that shows a transaction's records before its checkpoint.
private struct HalvingTarget: SyncTarget {
  private let base = DefectiveTarget()

  func content() async throws -> SyncContent { try await base.content() }

  func beginRun() async throws -> any SyncTargetRun<ConformanceRecord> {
    Run(run: try await base.beginRun())
  }

  private struct Run: SyncTargetRun {
    let run: any SyncTargetRun<ConformanceRecord>
    var base: SyncContent { run.base }

    func update<Result: Sendable>(
      _ body: @escaping @Sendable (any SyncTransaction<ConformanceRecord>) throws -> Result
    ) async throws -> Result {
      let stored = Lock<Checkpoint?>(nil)
      let result = try await run.update { transaction in
        let before = transaction.checkpoint
        let result = try body(transaction)
        stored.withLock { $0 = transaction.checkpoint }
        // The records are committed with the checkpoint of the last transaction.
        try transaction.store(before ?? Checkpoint())
        return result
      }
      for _ in 0..<50 { await Task.yield() }
      if let checkpoint = stored.withLock({ $0 }) {
        try await run.update { try $0.store(checkpoint) }
      }
      return result
    }
  }
}
