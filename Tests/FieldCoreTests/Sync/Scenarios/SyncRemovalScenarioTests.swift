@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// What holds of rows that a source no longer has, from every family and in every target.
@Suite("Sync scenarios: removals")
struct SyncRemovalScenarioTests {
  static let sweeps: [DeletionPolicy] = [.bySnapshot, .byKeys]

  // S29 of Docs/old-apps.md
  @Test(
    "A sweep removes exactly the rows that a source no longer has",
    arguments: ScenarioFamily.allCases, sweeps)
  func exactly(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 40)
      try await bench.refresh(deletion: deletion)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.delete([3, 20, 39].map(family.id))
      bench.portal.update([family.id(4)], value: 44)
      let report = try await bench.refresh(deletion: deletion)
      #expect((report.removed, report.updated, report.added) == (3, 1, 0))
      try await bench.expectSame()
    }
  }

  // S29 of Docs/old-apps.md
  @Test(
    "A policy without deletions removes nothing from any paged source",
    arguments: ScenarioFamily.paged, ScenarioTarget.allCases)
  func never(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    try await bench.refresh(deletion: .never)
    bench.portal.delete([family.id(3)])
    #expect(try await bench.refresh(deletion: .never).removed == 0)
    #expect(try await bench.stored().count == 30)
  }

  // S30 of Docs/old-apps.md
  @Test(
    "No more rows are removed than the guard allows, whatever a source says",
    arguments: ScenarioFamily.allCases, sweeps)
  func guarded(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 40)
      try await bench.refresh(deletion: deletion)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.delete((26..<40).map(family.id))
      let error = try await bench.failure(
        of: bench.table(deletion: deletion, guardedBy: SnapshotGuard(pageSize: nil)))
      #expect(error?.code == .snapshotRefused)
      #expect(error?.message.contains("14 of 40") == true)
      #expect(try await bench.stored().count == 40)
      let allowed = try bench.table(
        deletion: deletion, guardedBy: SnapshotGuard(maximumRemovedFraction: 0.4, pageSize: nil))
      #expect(try await allowed.refresh(.now).removed == 14)
      try await bench.expectSame()
    }
  }

  // S31 of Docs/old-apps.md
  @Test(
    "A source that has become empty doesn't empty the target",
    arguments: ScenarioFamily.allCases, sweeps)
  func emptied(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: deletion)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.delete((0..<30).map(family.id))
      let error = try await bench.failure(
        of: bench.table(deletion: deletion, guardedBy: SnapshotGuard()))
      #expect(error?.code == .snapshotRefused)
      #expect(try await bench.stored().count == 30)
    }
  }

  // S32 of Docs/old-apps.md
  @Test(
    "A row that is deleted and restored with the same ID and a new number stays",
    arguments: ScenarioFamily.allCases, sweeps)
  func recreated(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: deletion)
      bench.portal.clock.advance(by: .seconds(10))
      bench.portal.delete([family.id(5)])
      bench.portal.insert([family.stone(5, 55)])
      let report = try await bench.refresh(deletion: deletion)
      #expect((report.updated, report.removed, report.added) == (1, 0, 0))
      try await bench.expectSame()
    }
  }

  // S33 of Docs/old-apps.md
  @Test(
    "A full replacement with new numbers and the same IDs is no change",
    arguments: ScenarioFamily.allCases, sweeps)
  func replaced(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: deletion)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.replaceAll(family.stones(0..<30))
      let report = try await bench.refresh(deletion: deletion)
      #expect((report.added, report.updated, report.removed) == (0, 0, 0))
      #expect(report.unchanged == 30)
      try await bench.expectSame()
    }
  }

  // S33 of Docs/old-apps.md
  @Test(
    "A replacement while pages are read loses nothing in the end",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func replacedMeanwhile(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    for page in 1...4 {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: .byKeys)
      let portal = bench.portal
      portal.clock.advance(by: .seconds(60))
      portal.update((0..<30).map(family.id), value: 3)
      portal.beforePage { number in
        if number == page { portal.replaceAll(family.stones(0..<29)) }
      }
      if let error = try await bench.failure(of: bench.table(deletion: .byKeys)) {
        #expect([.datasetIncomplete, .noProgress].contains(error.code), "\(error)")
      }
      #expect(try await bench.stored().count >= 29)
      portal.behave()
      try await bench.refresh(deletion: .byKeys)
      try await bench.refresh(deletion: .byKeys)
      try await bench.expectSame("at page \(page)")
    }
  }

  // S34 of Docs/old-apps.md
  @Test(
    "The last one of rows with the same ID is used, and that is reported",
    arguments: ScenarioFamily.repeating, ScenarioTarget.allCases)
  func repeated(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    // In one page, and on two.
    for size in [100, 10] {
      let bench = try ScenarioBench(family, target, stones: 40)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.insert([family.stone(2, 22), family.stone(39, 390)])
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.insert([family.stone(2, 222)])
      let report = try await bench.refresh(size: size)
      #expect(report.notices.map(\.code) == [.repeatedIDs])
      #expect(report.notices.first?.message.contains("3 rows") == true)
      if family == .oldArcGIS {
        // The service doesn't say which of two rows is the last.
        let ids = try await bench.target.records().map(\.id)
        #expect(Set(ids) == Set(bench.portal.stones.map(\.id)) && ids.count == 40)
      } else {
        try await bench.expectSame()
      }
    }
  }

  // S35 of Docs/old-apps.md
  @Test(
    "The first page of a dataset alone isn't taken for all of it",
    arguments: ScenarioFamily.allCases, sweeps)
  func firstPageOnly(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 120)
      try await bench.refresh(size: 50, deletion: deletion)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.delete((10..<120).map(family.id))
      let error = try await bench.failure(
        of: bench.table(
          size: 50, deletion: deletion,
          guardedBy: SnapshotGuard(maximumRemovedFraction: 0.3, pageSize: 10)))
      #expect(error?.code == .snapshotRefused)
      #expect(try await bench.stored() == Set(family.stones(0..<120)))
    }
  }

  // S37 of Docs/old-apps.md
  @Test(
    "Replicas of different age that respond in turn lose nothing and remove nothing in the end",
    arguments: ScenarioFamily.allCases, sweeps)
  func replicas(_ family: ScenarioFamily, _ deletion: DeletionPolicy) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: deletion, overlap: .seconds(3_600))
      let old = ScenarioPortal(family, family.stones(0..<30))
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.insert(family.stones(30..<45))
      bench.portal.alternate(with: old)
      for _ in 0..<3 {
        let table = try bench.table(deletion: deletion, overlap: .seconds(3_600))
        if let error = try await bench.failure(of: table) {
          let codes: [FieldError.Code] = [
            .datasetIncomplete, .noProgress, .disordered, .sodaStale, .snapshotRefused,
          ]
          #expect(codes.contains(error.code), "\(error)")
        }
        let stored = try await bench.stored()
        #expect(stored.isSuperset(of: family.stones(0..<30)))
      }
      bench.portal.behave()
      // A version that one replica states may have confirmed the rows of another one, until the next edit.
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.insert([family.stone(50)])
      try await bench.refresh(deletion: deletion, overlap: .seconds(3_600))
      try await bench.expectSame()
    }
  }

  // S36 of Docs/old-apps.md
  @Test(
    "The response of a replica that says it is outdated isn't used, and requested again",
    arguments: ScenarioTarget.allCases)
  func outdated(_ target: ScenarioTarget) async throws {
    // Only Socrata's replicas say so.
    let bench = try ScenarioBench(.socrata, target, stones: 25)
    bench.portal.insert([bench.family.stone(26)])
    bench.portal.answerFromOutdatedReplicas()
    try await bench.refresh()
    try await bench.expectSame()
    #expect(!bench.clock.slept.isEmpty)
  }

  // S38 of Docs/old-apps.md
  @Test(
    "A confirmation is no change, and rows that come later are found",
    arguments: ScenarioFamily.confirming, ScenarioTarget.allCases)
  func confirmed(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 25)
    try await bench.confirm()
    try await bench.confirm()
    bench.portal.forgetRequests()
    let report = try await bench.confirm()
    #expect((report.outcome, report.unchanged) == (.notModified, 25))
    #expect(bench.portal.requestCount == 1)
    bench.portal.clock.advance(by: .seconds(60))
    bench.portal.insert([family.stone(26)])
    #expect(try await bench.confirm().added == 1)
    try await bench.expectSame()
  }

  // S39 of Docs/old-apps.md
  @Test(
    "What confirms stored rows counts for the same source and reader only",
    arguments: ScenarioFamily.confirming, ScenarioTarget.allCases)
  func validators(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 25)
    try await bench.confirm()
    try await bench.confirm()
    #expect(try await bench.confirm().outcome == .notModified)
    var checkpoint = try #require(try await bench.target.content().checkpoint)
    #expect(checkpoint.validators.count == 1)
    checkpoint.fingerprint = "another"
    try await bench.target.put([], checkpoint: checkpoint)
    let again = try await bench.confirm()
    #expect((again.rows, again.outcome) == (25, .unchanged))
    let other = try await bench.table(host: "other.example").refresh(.now)
    #expect(other.rows == 25)
  }
}
