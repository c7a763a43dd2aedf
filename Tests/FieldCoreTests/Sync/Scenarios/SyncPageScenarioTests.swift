@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// What holds of the rows of every family of sources, in every target, as they come page by page.
@Suite("Sync scenarios: pages")
struct SyncPageScenarioTests {
  // S1 of Docs/old-apps.md
  @Test(
    "All rows of every source come in full pages and a rest, none twice, none lost",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func whole(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 95)
    let report = try await bench.refresh()
    #expect((report.rows, report.added, report.failureCount) == (95, 95, 0))
    #expect(report.notices.isEmpty)
    try await bench.expectSame()
  }

  // S2 of Docs/old-apps.md
  @Test(
    "Pages of one row, of all rows, and of an even fraction contain all rows of every source",
    arguments: ScenarioFamily.allCases, [1, 24, 12, 5])
  func pageSizes(_ family: ScenarioFamily, _ size: Int) async throws {
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 24)
      #expect(try await bench.refresh(size: size).added == 24)
      try await bench.expectSame()
    }
  }

  // S3 of Docs/old-apps.md
  @Test(
    "Rows of one time on both sides of a page's edge are each stored once from every source",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func ties(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target)
    for group in 0..<6 {
      bench.portal.clock.advance(by: .seconds(10))
      bench.portal.insert(family.stones(group * 7..<(group + 1) * 7))
    }
    let report = try await bench.refresh()
    #expect((report.added, report.unchanged) == (42, 0))
    try await bench.expectSame()
  }

  // S4 of Docs/old-apps.md
  @Test(
    "Rows of every source arrive completely if the order of their IDs isn't the source's",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func disorder(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target)
    bench.portal.insert(family.stones((0..<60).map { $0 * 23 % 60 }))
    #expect(try await bench.refresh(size: 9).added == 60)
    try await bench.expectSame()
  }

  // S5 of Docs/old-apps.md
  @Test(
    "Rows arrive completely from every source that caps its pages below the requested size",
    arguments: ScenarioFamily.allCases, [1, 7, 50])
  func caps(_ family: ScenarioFamily, _ cap: Int) async throws {
    // A page by an offset is proved by the row before it, so two rows are the least.
    let cap = family == .ckan ? max(2, cap) : cap
    for target in ScenarioTarget.allCases {
      let bench = try ScenarioBench(family, target, stones: 60, pageCap: cap)
      #expect(try await bench.refresh(size: 1_000).added == 60)
      try await bench.expectSame()
    }
  }

  // S6 of Docs/old-apps.md
  @Test(
    "A source that returns the same rows whatever is requested is found out, and none of them is stored",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func deaf(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 40)
    bench.portal.ignoreRequests()
    let error = try await bench.failure()
    if family.isPaged || family == .taipei {
      let codes: [FieldError.Code] = [.noProgress, .disordered, .datasetIncomplete]
      #expect(error.map { codes.contains($0.code) } == true, "\(error as Any)")
      #expect(try await bench.stored().isEmpty)
      #expect(try await bench.target.content().checkpoint?.cursors.isEmpty ?? true)
    } else {
      // One response has all rows.
      #expect(error == nil)
      try await bench.expectSame()
    }
  }

  // S7 of Docs/old-apps.md
  @Test(
    "A source without rows is either the end or not believed, and stores nothing",
    arguments: ScenarioFamily.allCases, ScenarioTarget.allCases)
  func empty(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target)
    do {
      let report = try await bench.refresh()
      #expect((report.rows, report.outcome) == (0, .unchanged))
    } catch let error as FieldError {
      #expect(!family.isPaged)
      #expect(error.code == .snapshotRefused)
    }
    #expect(try await bench.stored().isEmpty)
  }

  // S8 of Docs/old-apps.md
  @Test(
    "Rows that are added, changed, or deleted between two pages are found, and no other is lost",
    arguments: ScenarioFamily.allCases, ["insert", "update", "delete"])
  func between(_ family: ScenarioFamily, _ action: String) async throws {
    for target in ScenarioTarget.allCases {
      // Before and behind the cursor, and at the edge of a page.
      for number in [3, 9, 10, 25, 39] {
        let bench = try ScenarioBench(family, target, stones: 40)
        let portal = bench.portal
        portal.beforePage { page in
          guard page == 2 else { return }
          switch action {
          case "insert": portal.insert([family.stone(100 + number)])
          case "update": portal.update([family.id(number)], value: 777)
          default: portal.delete([family.id(number)])
          }
        }
        if let error = try await bench.failure() {
          // Pages by offset are used only if they belong together.
          #expect(error.code == .datasetIncomplete && family == .taipei)
        } else {
          let stored = Set(try await bench.stored().map(\.id))
          let left = (0..<40).filter { $0 != number }.map(family.id)
          #expect(stored.isSuperset(of: left), "\(action) of \(number)")
        }
        portal.behave()
        try await bench.refresh(deletion: .byKeys)
        try await bench.expectSame("\(action) of \(number)")
      }
    }
  }

  // S10 of Docs/old-apps.md
  @Test(
    "A source whose pages never end is an error, and the target is as it was",
    arguments: ScenarioFamily.paged + [.taipei], ScenarioTarget.allCases)
  func unbounded(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 30)
    try await bench.refresh()
    let (before, content) = (try await bench.stored(), try await bench.target.content())
    let portal = bench.portal
    portal.update([family.id(3)], value: 33)
    portal.beforePage { page in
      portal.clock.advance(by: .seconds(1))
      portal.insert(family.stones(1_000 + page * 12..<1_012 + page * 12))
    }
    let error = try await bench.failure(of: bench.table(pageLimit: 30))
    #expect(error?.code == (family == .taipei ? .datasetIncomplete : .unboundedPagination))
    #expect(try await bench.stored() == before)
    let after = try await bench.target.content()
    #expect(after.count == content.count)
    #expect(after.checkpoint?.cursors == content.checkpoint?.cursors)
    portal.behave()
    try await bench.refresh(size: 1_000)
    try await bench.expectSame()
  }

  // S52 of Docs/old-apps.md
  @Test(
    "No page of a source that is read page by page has more rows than a run asks for",
    arguments: ScenarioFamily.paged, ScenarioTarget.allCases)
  func bounded(_ family: ScenarioFamily, _ target: ScenarioTarget) async throws {
    let bench = try ScenarioBench(family, target, stones: 120)
    let most = Lock(0)
    bench.portal.rewriteResponses { request, response in
      let text = String(decoding: try response.body.bytes(), as: UTF8.self)
      let rows = text.ranges(of: "\"note\":\"note").count
      most.withLock { $0 = max($0, rows) }
      return response
    }
    #expect(try await bench.refresh(size: 20).added == 120)
    // A page by an offset has some rows before it, as a proof.
    #expect(most.withLock { $0 } <= (family == .ckan ? 36 : 20))
    #expect(most.withLock { $0 } >= 20)
  }

  // S9 of Docs/old-apps.md
  @Test(
    "Rows arrive completely from a portal that stores times with more digits than it prints",
    arguments: ScenarioTarget.allCases)
  func coarseTimes(_ target: ScenarioTarget) async throws {
    // Only Socrata orders rows by times; see `SyncPagingTests` of MeteorKit for more.
    let bench = try ScenarioBench(.socrata, target)
    bench.portal.printsCoarseTimes()
    for number in 0..<95 { bench.portal.insert([bench.family.stone(number)]) }
    let report = try await bench.refresh()
    #expect(report.notices.map(\.code).contains(.coarseTimes))
    try await bench.expectSame()
  }
}
