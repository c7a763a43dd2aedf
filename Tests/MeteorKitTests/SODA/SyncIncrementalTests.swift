import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import Testing

@Suite("Asking a portal for what has changed")
struct SyncIncrementalTests {
  // S11 of Docs/old-apps.md
  @Test("no changes cost one request, and only the time is written")
  func nothingNew() async throws {
    let portal = PortalFixture(stones: 50)
    portal.pass(100_000)
    try await portal.refresh(overlap: .seconds(86_400))
    let before = try await portal.store.snapshot()
    portal.server.forgetRequests()
    let report = try await portal.refresh(overlap: .seconds(86_400))
    #expect(portal.server.requestCount == 1)
    #expect(report.rows == 0)
    let after = try await portal.store.snapshot()
    #expect(after.changedIDs(since: before.revision)?.isEmpty == true)
    #expect(after.checkpoint?.cursors == before.checkpoint?.cursors)
  }

  // S12 of Docs/old-apps.md
  @Test("a change, a new row, and a change that clears a cell arrive in one refresh")
  func changes() async throws {
    let portal = PortalFixture(stones: 50)
    try await portal.refresh()
    portal.pass(60)
    portal.server.update("7", ["mass": 12.5])
    portal.server.insert([PortalFixture.stone(51)])
    portal.server.update("9", ["year": .null, "mass": .null])
    let report = try await portal.refresh()
    #expect(report.rows == 3)
    #expect(report.updated == 2)
    #expect(report.added == 1)
    let view = try await portal.catalog(portal.source()).view()
    #expect(view["7"]?.massInGrams == 12.5)
    #expect(view["9"]?.year == nil)
    #expect(view["9"]?.massInGrams == nil)
    #expect(view["51"] != nil)
  }

  // S13 of Docs/old-apps.md
  @Test("a row that arrives again in the overlap is unchanged")
  func overlap() async throws {
    let portal = PortalFixture(stones: 20)
    try await portal.refresh(overlap: .seconds(3_600))
    let before = try await portal.store.snapshot()
    portal.pass(60)
    let report = try await portal.refresh(overlap: .seconds(3_600))
    #expect(report.rows == 20)
    #expect(report.unchanged == 20)
    #expect(report.outcome == .unchanged)
    #expect(try await portal.store.snapshot().changedIDs(since: before.revision)?.isEmpty == true)
  }

  // S14 of Docs/old-apps.md
  @Test("a row that becomes visible late is found in the overlap, and not without it")
  func lateRow() async throws {
    for (overlap, isFound) in [(Duration.seconds(3 * 3_600), true), (.zero, false)] {
      let portal = PortalFixture(stones: 20)
      portal.pass(10_000)
      portal.server.insert([PortalFixture.stone(21)])
      try await portal.refresh(overlap: overlap)
      // Two and a half hours late, as has been seen: behind the row that was read last.
      portal.server.insert(
        [PortalFixture.stone(22)], at: portal.portalClock.now.addingTimeInterval(-9_000))
      portal.pass(60)
      try await portal.refresh(overlap: overlap)
      #expect((try await portal.masses()["22"] != nil) == isFound)
    }
  }

  // S15 of Docs/old-apps.md
  @Test(
    "a wrong device clock, set back, during a time change or at the year's end, changes nothing",
    arguments: [-86_400.0, 86_400.0, -34_560_000.0, 7_520_400.0, 31_492_800.0] as [Double])
  func deviceClock(offset: Double) async throws {
    var asked: [[String?]] = []
    for shift in [0, offset] {
      let portal = PortalFixture(stones: 20)
      let clock = ImmediateClock(now: portal.portalClock.now.addingTimeInterval(shift))
      for step in 0..<3 {
        let source = SODAMeteorites(
          SODAClient(try portal.dataset(), transport: portal.server, clock: clock),
          options: SyncOptions(pageSize: 6, overlap: .seconds(600)))
        try await MeteoriteCatalog(
          source: source, repository: portal.store, clock: clock
        ).refresh(.now)
        portal.pass(1_000)
        portal.server.update("\(step + 1)", ["mass": .number("\(step)")])
        if step == 1 { try await clock.sleep(for: .seconds(-5_000)) }
      }
      asked.append(portal.server.requests.map { $0[parameter: "$where"] })
    }
    #expect(asked[0] == asked[1])
    #expect(asked[0].count > 5)
  }

  // S16 of Docs/old-apps.md
  @Test(
    "an old or invalid checkpoint, or one of another filter or dataset, starts over",
    arguments: ["older", "filter", "dataset", "nonsense"])
  func otherCheckpoints(kind: String) async throws {
    let portal = PortalFixture(stones: 30)
    try await portal.refresh(pageSize: 10)
    var checkpoint = try #require(try await portal.store.snapshot().checkpoint)
    let mine = try #require(checkpoint.fingerprint)
    switch kind {
    case "older": checkpoint.fingerprint = mine.replacingOccurrences(of: "sync/1", with: "sync/0")
    case "filter": checkpoint.fingerprint = mine + " WHERE x"
    case "dataset": checkpoint.fingerprint = mine.replacingOccurrences(of: "gh4g", with: "abcd")
    default: checkpoint.cursors = ["sync.stamp": "���", "sync.run": "sideways", "sync.key": ""]
    }
    try await portal.store.commit(Changes(), checkpoint: checkpoint, expecting: nil)
    portal.server.update("5", ["mass": 55])
    let report = try await portal.refresh(pageSize: 10)
    #expect(report.rows == 30)
    #expect(report.notices.map(\.code) == [.startedAnew])
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S17 of Docs/old-apps.md
  @Test("changes that fill several pages and changes of the whole table all arrive")
  func manyChanges() async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(pageSize: 10)
    portal.pass(60)
    portal.server.update(where: { _ in true }, ["mass": 5])
    let report = try await portal.refresh(pageSize: 10)
    #expect(report.updated == 60)
    #expect(try await portal.masses() == portal.portalMasses)
    portal.pass(60)
    for number in 1...35 { portal.server.update("\(number)", ["mass": 6]) }
    #expect(try await portal.refresh(pageSize: 10).updated == 35)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S18 of Docs/old-apps.md
  @Test("another filter reads all rows again, and a sweep leaves only those that match")
  func otherFilter() async throws {
    let portal = PortalFixture(stones: 40)
    portal.server.update(
      where: { PortalFixture.text($0["id"])?.hasSuffix("1") == true }, ["fall": "Fell"])
    try await portal.refresh(deletion: .byKeys, pageSize: 7)
    let fell = try portal.source(
      deletion: .byKeys, pageSize: 7, condition: "fall = \("Fell")")
    let report = try await portal.catalog(fell, guardedBy: SnapshotGuard(maximumRemovedFraction: 1))
      .refresh(.now)
    #expect(report.notices.map(\.code) == [.startedAnew])
    #expect(report.removed == 36)
    #expect(try await Set(portal.masses().keys) == ["1", "11", "21", "31"])
  }
}
