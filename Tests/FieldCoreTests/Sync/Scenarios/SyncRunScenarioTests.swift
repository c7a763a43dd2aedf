@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// What holds of runs beside each other, of their times, and of their forms, for every family of sources.
@Suite("Sync scenarios: runs and forms")
struct SyncRunScenarioTests {
  // S47 of Docs/old-apps.md
  @Test(
    "A file, then a portal with the same rows, then the file again change nothing",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func fileAndPortal(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    let file = ScenarioPortal(.file, family.stones(0..<30))
    let fromFile = try SyncedTable(
      "stones", sources: [file.source(of: ScenarioStone.self, clock: bench.clock)],
      target: bench.target, clock: bench.clock, snapshotGuard: ScenarioBench.anyRemoval)
    #expect(try await fromFile.refresh(.now).added == 30)
    for table in [try bench.table(), fromFile] {
      let report = try await table.refresh(.now)
      #expect((report.added, report.updated, report.removed) == (0, 0, 0))
      #expect(report.unchanged == 30)
    }
    try await bench.expectSame()
  }

  // S48 of Docs/old-apps.md
  @Test(
    "Concurrent refreshes of one table are one run, and all get its report",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func shared(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let alone = try ScenarioBench(family, target, stones: 25)
    try await alone.refresh()
    let bench = try ScenarioBench(family, target, stones: 25)
    let table = try bench.table()
    let callers = Lock(0)
    bench.portal.beforeRequest { _ in
      while callers.withLock({ $0 }) < 8 { await Task.yield() }
      for _ in 0..<200 { await Task.yield() }
    }
    let reports = try await withThrowingTaskGroup(of: RefreshReport.self) { group in
      for _ in 0..<8 {
        group.addTask {
          callers.withLock { $0 += 1 }
          return try await table.refresh(.now)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 8)
    #expect(reports.allSatisfy { $0.added == 25 || $0.added == 0 })
    #expect(bench.portal.requestCount <= 2 * alone.portal.requestCount)
    try await bench.expectSame()
  }

  // S49 of Docs/old-apps.md
  @Test(
    "A reader sees whole pages with the position after them, or all rows, and never a part",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func wholePages(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 50)
    let counts = Lock<[Int]>([])
    bench.portal.beforeRequest { _ in
      let content = try await bench.target.content()
      let records = try await bench.target.records()
      #expect(records.count == content.count)
      let isUnfinished = content.checkpoint?.cursors["sync.run"] != nil
      #expect(isUnfinished == (records.count > 0))
      counts.withLock { $0.append(content.count) }
    }
    try await bench.refresh()
    let seen = counts.withLock { $0 }
    #expect(seen == seen.sorted())
    #expect(seen.allSatisfy { $0.isMultiple(of: 10) })
    // The last page may be known to be the last one.
    #expect(Set(seen).isSuperset(of: family.isPaged ? [0, 10, 20, 30, 40] : [0]))
  }

  // S50 of Docs/old-apps.md
  @Test(
    "A refresh is due after a day, and after a failure when the target says so",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func due(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 25)
    let clock = ManualClock()
    let table = try bench.table(clock: clock)
    #expect(try await table.refresh().outcome == .updated)
    #expect(try await table.refresh().outcome == .notDue)
    let date = try #require(try await table.nextRefreshDate)
    #expect(abs(date.timeIntervalSince(clock.now) - 86_400) < 1)
    clock.set(now: date)
    // The request for the second page fails, or the only one.
    bench.portal.clock.advance(by: .seconds(60))
    bench.portal.update((0..<25).map(family.id), value: 1)
    bench.portal.beforePage { page in
      if page == (family.isPaged ? 2 : 1) { throw FieldError(.connectionLost, "gone") }
    }
    await #expect(throws: FieldError.self) { try await table.refresh() }
    let next = try #require(try await table.nextRefreshDate)
    #expect(next.timeIntervalSince(clock.now) > 0 && next.timeIntervalSince(clock.now) <= 3_600)
    #expect(try await table.refresh().outcome == .notDue)
    clock.set(now: next)
    bench.portal.behave()
    let report = try await table.refresh()
    #expect(report.outcome == .updated)
    #expect(report.notices.map(\.code) == (family.isPaged ? [.resumed] : []))
    try await bench.expectSame()
  }

  // S53 of Docs/old-apps.md
  @Test(
    "The same inputs cause the same requests to every source, byte for byte",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func determinism(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    var runs: [[String]] = []
    for _ in 0..<2 {
      let bench = try ScenarioBench(family, target, stones: 30)
      try await bench.refresh(deletion: .byKeys)
      bench.portal.clock.advance(by: .seconds(60))
      bench.portal.update([family.id(3)], value: 33)
      bench.portal.delete([family.id(20)])
      try await bench.refresh(deletion: .byKeys)
      runs.append(
        bench.portal.requests.map { request in
          let fields = request.fields.map { "\($0.name): \($0.value)" }.sorted()
          return "\(request.method) \(request.url.absoluteString) \(fields)"
        })
    }
    #expect(runs[0] == runs[1])
    #expect(runs[0].count >= 2)
  }
}
