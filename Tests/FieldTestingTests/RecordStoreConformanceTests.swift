import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Record store conformance", .timeLimit(.minutes(60)))
struct RecordStoreConformanceTests {
  typealias Case = RecordStoreConformance.Case

  @Test("record store conformance passes the store in memory, whose record type is inferred")
  func inMemory() async throws {
    try await RecordStoreConformance.run { InMemoryStore() }
  }

  @Test("record store conformance passes the store in a file, however often it is reopened")
  func file() async throws {
    try await RecordStoreConformance.run(reopening: { folder in
      FileStore(folder.appending(path: "records.store"))
    })
  }

  @Test("record store conformance passes a custom store that does everything right")
  func correct() async throws {
    try await RecordStoreConformance.run { DefectiveStore() }
  }

  /// In a process of its own: a case that hangs is told by the time, and the concurrency pool of this
  /// one is kept busy by other tests.
  @Test(
    "record store conformance finds what a store does wrong", .inAnotherProcess, .needsProcesses)
  func defects() async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let whole = Sample.of(DefectiveStore.Defect.allCases, inDebug: 1)
          for defect in DefectiveStore.Defect.allCases {
            // Cases that don't find the defect are tried with some.
            let others: Set<Case> =
              whole.contains(defect)
              ? [] : RecordStoreConformance.allCases.subtracting(defect.failingCases)
            group.addTask {
              let failures = try await RecordStoreConformance.failures(
                excluding: others, patience: .seconds(others.isEmpty ? 20 : 5)
              ) { DefectiveStore(defect) }
              #expect(
                Set(failures.map(\.testCase)) == defect.failingCases, "\(defect): \(failures)")
            }
          }
          try await group.waitForAll()
        }
      }
    #endif
  }

  @Test("record store conformance finds a store that forgets its content when it is reopened")
  func forgetful() async throws {
    let failures = try await RecordStoreConformance.failures(reopening: { _ in InMemoryStore() })
    #expect(
      failures.map(\.testCase) == [.reopening, .reopeningOften, .reopeningChanged], "\(failures)")
  }

  @Test("record store conformance passes a custom store that keeps its content")
  func lasting() async throws {
    #expect(try await Self.failures(of: nil).map(\.description) == [])
  }

  @Test(
    "record store conformance finds everything that is wrong on disk",
    arguments: LastingStore.Defect.allCases)
  func lastingDefects(_ defect: LastingStore.Defect) async throws {
    let failures = try await Self.failures(
      of: defect,
      excluding: RecordStoreConformance.allCases.subtracting([
        .reopening, .reopeningEmpty, .reopeningOften, .reopeningChanged,
      ]))
    #expect(Set(failures.map(\.testCase)) == defect.failingCases, "\(failures)")
  }

  @Test(
    "record store conformance finds what is wrong on disk only by reopening",
    arguments: Sample.of(LastingStore.Defect.allCases, 1))
  func lastingDefectsAlone(_ defect: LastingStore.Defect) async throws {
    let failures = try await Self.failures(of: defect)
    #expect(Set(failures.map(\.testCase)) == defect.failingCases, "\(failures)")
  }

  private static func failures(
    of defect: LastingStore.Defect?, excluding: Set<Case> = []
  ) async throws -> [ConformanceFailure<RecordStoreConformance.Case>] {
    let disks = Lock<[URL: LastingStore.Disk]>([:])
    return try await RecordStoreConformance.failures(
      excluding: excluding, patience: .seconds(60),
      reopening: { folder in
        let disk = disks.withLock { disks in
          let disk = disks[folder] ?? LastingStore.Disk()
          disks[folder] = disk
          return disk
        }
        return LastingStore(disk, defect)
      })
  }

  @Test(
    "record store conformance finds a race in every run", .heavy,
    arguments: [
      DefectiveStore.Defect.losesConcurrent, .ignoresExpected, .conflictClears, .conflictIsFailure,
      .showsHalf, .showsCheckpointLater,
    ])
  func everyRun(_ defect: DefectiveStore.Defect) async throws {
    let expected = defect.failingCases.intersection([
      .atomicity, .concurrentCommits, .concurrentUpdates,
    ])
    for run in 1...Sample.rounds(25, 5, inDebug: 3) {
      let failures = try await RecordStoreConformance.failures(
        excluding: RecordStoreConformance.allCases.subtracting(expected)
      ) { DefectiveStore(defect) }
      #expect(Set(failures.map(\.testCase)) == expected, "run \(run): \(failures)")
    }
  }

  @Test("record store conformance finds a store that can't be opened twice")
  func openedOnce() async throws {
    let failures = try await RecordStoreConformance.failures(reopening: { folder in
      try FileManager.default.createDirectory(
        at: folder.appending(path: "taken"), withIntermediateDirectories: false)
      return InMemoryStore()
    })
    #expect(
      failures.map(\.testCase)
        == [.reopening, .reopeningEmpty, .reopeningOften, .reopeningChanged], "\(failures)")
  }

  @Test("record store conformance records an issue for its findings, and skips excluded checks")
  func records() async throws {
    let others = RecordStoreConformance.allCases.subtracting([.order, .removal, .lookup])
    try await withKnownIssue {
      try await RecordStoreConformance.run(excluding: others) { DefectiveStore(.sortsByID) }
    } matching: { issue in
      "\(issue)".contains("record store conformance, order")
    }
    try await RecordStoreConformance.run(excluding: others.union([.order])) {
      DefectiveStore(.sortsByID)
    }
  }
}

extension DefectiveStore.Defect {
  /// The cases that find it, and no other.
  fileprivate var failingCases: Set<RecordStoreConformance.Case> {
    switch self {
    case .startsWithCheckpoint: [.emptyAtFirst]
    case .startsLater: [.emptyAtFirst]
    case .sortsByID: [.order]
    case .movesOnUpdate: [.order, .snapshotsKept]
    case .keepsRemoved: [.removal]
    case .failsOnAbsent: [.removal]
    case .returnsToOldPlace: [.reinsertion]
    case .firstStepWins: [.lastStep]
    case .ignoresRemoveAll: [.removeAll, .revision]
    case .losesAfterRemoveAll: [.removeAll]
    case .losesIDs: [.lookup]
    case .cutsAtZero: [.oddValues]
    case .composesText: [.oddValues]
    case .dropsBeyondThousand: [.largeBatch]
    case .forgetsChangedIDs: [.changedIDs]
    case .showsHalf: [.atomicity]
    case .showsCheckpointLater: [.atomicity]
    case .forgetsCheckpoint: [.checkpoint, .conflict]
    case .losesSubseconds: [.checkpoint]
    case .ignoresBareCheckpoint: [.checkpoint, .updates]
    case .keepsRevision: [.revision]
    case .returnsOldRevision: [.revision]
    case .failsOnNothing: [.noChange]
    case .losesCheckpointOnNothing: [.noChange]
    case .refusesExpected: [.expecting, .concurrentUpdates]
    case .ignoresExpected: [.conflict, .concurrentUpdates]
    case .conflictClears: [.conflict, .concurrentUpdates]
    case .conflictIsFailure: [.conflict, .concurrentUpdates]
    case .losesConcurrent: [.concurrentCommits, .concurrentUpdates]
    case .changesSnapshots: [.snapshotsKept]
    case .skipsCurrent: [.updates]
    case .endsUpdates: [.updates, .slowObserver, .severalObservers]
    case .losesUpdatedCheckpoint: [.updates]
    case .givesOldest: [.slowObserver]
    case .servesOneObserver: [.severalObservers]
    case .throwsWhenCancelled: [.cancellation]
    case .ignoresCancellation: [.cancellation]
    }
  }
}

extension LastingStore.Defect {
  /// The cases that find it, and no other.
  fileprivate var failingCases: Set<RecordStoreConformance.Case> {
    switch self {
    case .sortsByID, .fillsFreedPlaces: [.reopening, .reopeningChanged]
    default: [.reopeningChanged]
    }
  }
}
