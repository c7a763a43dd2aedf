@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// What holds of later refreshes, from every family of sources and in every target.
@Suite("Sync scenarios: changes")
struct SyncChangeScenarioTests {
  // S11 of Docs/old-apps.md
  @Test(
    "No change at a source changes no record, and costs one request if the source confirms it",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func nothingNew(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 25)
    try await bench.confirm()
    try await bench.confirm()
    let before = try await bench.target.content().checkpoint?.lastSuccess
    try await bench.clock.sleep(for: .seconds(500))
    bench.portal.forgetRequests()
    let report = try await bench.confirm()
    #expect((report.added, report.updated, report.removed) == (0, 0, 0))
    #expect(report.unchanged == 25)
    if family.isConfirming {
      #expect(report.outcome == .notModified)
      #expect(bench.portal.requestCount == 1)
    } else {
      #expect(report.outcome == .unchanged)
    }
    let after = try await bench.target.content().checkpoint?.lastSuccess
    #expect(try #require(after) > #require(before))
    try await bench.expectSame()
  }

  // S12 of Docs/old-apps.md
  @Test(
    "A change, a new row, and a change that clears a cell arrive in one refresh from every source",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func changes(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    try await bench.refresh()
    bench.portal.clock.advance(by: .seconds(60))
    bench.portal.update([family.id(7)], value: 77)
    bench.portal.update([family.id(9)], note: false)
    bench.portal.insert([family.stone(31)])
    let report = try await bench.refresh()
    #expect((report.updated, report.added, report.removed) == (2, 1, 0))
    #expect(try await bench.target.record(family.id(9))?.note == nil)
    try await bench.expectSame()
  }

  // S13 of Docs/old-apps.md
  @Test(
    "A row of any source that arrives again as it is stored is unchanged",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func overlap(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 20)
    try await bench.refresh(overlap: .seconds(3_600))
    bench.portal.clock.advance(by: .seconds(60))
    // The source has changed, but no row has.
    bench.portal.update([family.id(1)], value: 1)
    let report = try await bench.refresh(overlap: .seconds(3_600))
    #expect((report.added, report.updated, report.removed) == (0, 0, 0))
    #expect((report.unchanged, report.outcome) == (20, .unchanged))
  }

  // S14 of Docs/old-apps.md
  @Test(
    "A row that becomes visible late is found by the next refresh from every source",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func late(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 20)
    bench.portal.clock.advance(by: .seconds(10_000))
    bench.portal.insert([family.stone(21)])
    try await bench.refresh(deletion: .byKeys, overlap: .seconds(3 * 3_600))
    // Two and a half hours late, by the source's times.
    let time = bench.portal.clock.now.addingTimeInterval(-9_000)
    bench.portal.insert([family.stone(22)], at: time)
    bench.portal.clock.advance(by: .seconds(60))
    try await bench.refresh(deletion: .byKeys, overlap: .seconds(3 * 3_600))
    try await bench.expectSame()
  }

  // S15 of Docs/old-apps.md
  @Test(
    "A wrong clock of the device changes no request to any source",
    arguments: ScenarioFamily.allCases, [-86_400.0, 86_400.0, -34_560_000.0, 31_492_800.0])
  func deviceClock(_ family: ScenarioFamily, _ offset: Double) async throws {
    for target in ScenarioTarget.allCases {
      var addresses: [[String]] = []
      for shift in [0, offset] {
        let bench = try ScenarioBench(family, target, stones: 20)
        let clock = ImmediateClock(now: bench.portal.clock.now.addingTimeInterval(shift))
        for step in 0..<3 {
          _ = try await bench.table(size: 6, overlap: .seconds(600), clock: clock).refresh(.now)
          bench.portal.clock.advance(by: .seconds(1_000))
          bench.portal.update([family.id(step)], value: 100 + step)
          if step == 1 { try await clock.sleep(for: .seconds(-5_000)) }
        }
        addresses.append(bench.portal.addresses)
      }
      #expect(addresses[0] == addresses[1])
      #expect(addresses[0].count >= 3)
    }
  }

  // S16 of Docs/old-apps.md
  @Test(
    "A checkpoint that is old, damaged, or another source's makes the next refresh read all rows",
    arguments: ScenarioFamily.allCases, ["older", "source", "nonsense"])
  func checkpoints(_ family: ScenarioFamily, _ kind: String) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh()
      var checkpoint = try #require(try await bench.target.content().checkpoint)
      switch kind {
      case "older": checkpoint.fingerprint = checkpoint.fingerprint.map { "older \($0)" }
      case "source": checkpoint.fingerprint = "another source"
      default:
        checkpoint.cursors = ["sync.stamp": "\u{FFFD}", "sync.run": "sideways", "sync.key": ""]
      }
      try await bench.target.put([], checkpoint: checkpoint)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.update([family.id(5)], value: 55)
      let report = try await bench.refresh()
      #expect(report.rows == 30)
      #expect((report.updated, report.unchanged) == (1, 29))
      if kind != "nonsense" { #expect(report.notices.map(\.code) == [.startedAnew]) }
      try await bench.expectSame()
    }
  }

  // S17 of Docs/old-apps.md
  @Test(
    "Changes that fill several pages, and changes of all rows, arrive from every source",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func many(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 60)
    try await bench.refresh()
    for numbers in [0..<60, 10..<45] {
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.update(numbers.map(family.id), value: -numbers.count)
      #expect(try await bench.refresh().updated == numbers.count)
      try await bench.expectSame()
    }
  }

  // S18 of Docs/old-apps.md
  @Test(
    "Another dataset is read from its beginning, and a sweep leaves only its rows",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func otherDataset(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 40)
    try await bench.refresh(deletion: .byKeys)
    let all = (0..<40).map(family.id)
    bench.portal.delete(all.enumerated().filter { $0.offset % 10 != 1 }.map(\.element))
    let report = try await bench.table(host: "other.example", deletion: .byKeys).refresh(.now)
    #expect(report.removed == 36)
    if family.isPaged || family == .openDataSoft {
      #expect(report.notices.map(\.code) == [.startedAnew])
    }
    try await bench.expectSame()
  }

  // S51 of Docs/old-apps.md
  @Test(
    "The user's own data survives changes and a replacement of the whole dataset",
    arguments: ScenarioFamily.allCases.filter { $0 != .taipei && $0 != .file },
    ScenarioTarget.allCases)
  func ownData(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 20)
    bench.portal.update((0..<20).map(family.id), note: false)
    let pages = try #require(
      bench.portal.source(of: ScenarioStone.self, clock: bench.clock).pages)
    let engine = SyncEngine(
      source: pages, store: bench.target, deletion: .byKeys,
      snapshotGuard: ScenarioBench.anyRemoval, clock: bench.clock
    ) { stored, given in
      ScenarioStone(id: given.id, value: given.value, note: stored.note)
    }
    _ = try await engine.run()
    let mine = ScenarioStone(id: family.id(4), value: 4, note: "mine")
    try await bench.target.put([mine])
    bench.portal.clock.advance(by: .seconds(60))
    var stones = bench.portal.stones.sorted { $0.id < $1.id }
    for place in stones.indices where stones[place].id == mine.id { stones[place].value = 44 }
    bench.portal.replaceAll(stones)
    let report = try await engine.run()
    #expect((report.added, report.updated, report.removed) == (0, 1, 0))
    let kept = ScenarioStone(id: mine.id, value: 44, note: "mine")
    #expect(try await bench.target.record(mine.id) == kept)
  }
}
