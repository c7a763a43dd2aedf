import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("The Socrata tables' golden files", .timeLimit(.minutes(60)))
struct SODAGoldenTests {
  /// Two tables of one dataset: all of it, and a part of it by its own key, whose sync was interrupted.
  private static let golden = Golden("soda")
  private static let exchange = Golden("soda-exchange")
  private static let first = Date(timeIntervalSince1970: 1_767_225_600)

  // MARK: Writing

  private static func portal(_ clock: ManualClock) -> FakeSODAServer {
    FakeSODAServer(
      dataset: "gh4g-9sfh", columns: PortalFixture.columns, key: "id",
      rows: (1...25).map { PortalFixture.stone($0) }, clock: clock)
  }

  /// Time passes, a row changes, two disappear, and one is added.
  private static func change(_ portal: FakeSODAServer, _ clock: ManualClock) {
    clock.advance(by: .seconds(90_000))
    portal.update("3", ["mass": 33, "year": .null])
    portal.delete("4", "20")
    portal.insert([PortalFixture.stone(26)])
  }

  private static func table(
    _ folder: URL, _ portal: FakeSODAServer, _ clock: ManualClock, key: String? = nil
  ) throws -> SODATable {
    SODATable(
      try SODADataset("gh4g-9sfh", at: "soda.example"), key: key,
      select: key == nil ? [] : ["id", "mass"],
      storage: .directory(folder, clock: clock), transport: portal, clock: clock,
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1), options: SyncOptions(pageSize: 10))
  }

  private static func write(to folder: URL) async throws {
    let clock = ManualClock(now: first)
    let portal = portal(clock)
    clock.advance(by: .seconds(3_600))
    let whole = try table(folder, portal, clock)
    #expect(try await whole.refresh().added == 25)
    portal.faults.append(.webPage, onRequest: portal.requests.count + 2)
    let part = try table(folder, portal, clock, key: "id")
    await #expect(throws: FieldError.self) { try await part.refresh() }
    try await part.close()
    portal.faults.removeAll()
    change(portal, clock)
    let report = try await whole.refresh()
    #expect((report.added, report.updated, report.removed) == (1, 1, 2))
    try await whole.close()
  }

  @Test("the Socrata tables' golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
    try await Self.exchange.replace { try await Self.export(to: $0) }
  }

  @Test("the Socrata tables' golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
    try await Self.exchange.expectSame { try await Self.export(to: $0) }
  }

  // MARK: Reading

  /// The portal as it was when the files were written.
  private static func laterPortal() -> (FakeSODAServer, ManualClock) {
    let clock = ManualClock(now: first)
    let portal = portal(clock)
    clock.advance(by: .seconds(3_600))
    change(portal, clock)
    return (portal, clock)
  }

  @Test(
    "the Socrata tables' golden files have the rows, and request only what has changed since",
    Golden.reading)
  func rows() async throws {
    let folder = try Self.golden.copy()
    let (portal, clock) = Self.laterPortal()
    let table = try Self.table(folder.url, portal, clock)
    let report = try await table.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty)
    let rows = try await table.rows()
    #expect(rows.count == 24)
    let third = try #require(rows.first { $0["id"]?.text == "3" })
    #expect(third["mass"]?.double == 33 && third["year"] == nil)
    #expect(rows.last?["name"]?.text == "Stone 26")
    #expect(try await table.lastRefresh == Self.first + 93_600)
    let next = try #require(try await table.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(Self.first) - 93_600 - 86_400) < 0.001)
    #expect(try await table.refresh().outcome == .notDue)
    #expect(portal.requests.isEmpty)
    clock.advance(by: .seconds(90_000))
    portal.update("7", ["mass": 77])
    let changes = try await table.refresh()
    #expect((changes.added, changes.updated, changes.removed) == (0, 1, 0))
    let page = try #require(portal.requests.first?.url.absoluteString.removingPercentEncoding)
    #expect(page.contains(":updated_at") && page.contains("2026-01-01T02:00:00"))
    try await table.close()
  }

  @Test(
    "the Socrata tables' golden files have the position of an interrupted sync, and resume there",
    Golden.reading)
  func interrupted() async throws {
    let folder = try Self.golden.copy()
    let (portal, clock) = Self.laterPortal()
    let table = try Self.table(folder.url, portal, clock, key: "id")
    #expect(try await table.rows().count == 10)
    #expect(try await table.lastRefresh == nil)
    #expect(try #require(try await table.nextRefreshDate) <= clock.now)
    let report = try await table.refresh()
    #expect(report.notices.map(\.code).contains(.resumed))
    #expect(try await table.rows().count == 24)
    #expect(try await table.row("3")?["mass"]?.double == 33)
    try await table.close()
  }

  // MARK: Exchange

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var dataset: SODADataset
    var row: SODARow
    var next: SODAResumeToken?
  }

  private static func values() async throws -> Values {
    let clock = ManualClock(now: first)
    let client = SODAClient(
      try SODADataset("gh4g-9sfh", at: "soda.example"), transport: portal(clock), clock: clock)
    for try await page in client.pages(SoQL.Query(select: "name"), size: 10) {
      return Values(
        dataset: client.dataset, row: try #require(page.rows.first),
        next: page.next)
    }
    throw FieldError(.invalidInput, "the portal has no page")
  }

  private static func export(to folder: URL) async throws {
    try Golden.json(try await values()).write(to: folder.appending(path: "values.json"))
  }

  @Test(
    "the Socrata tables' golden files in JSON are the values that a portal returns", Golden.reading)
  func json() async throws {
    let read = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(read == (try await Self.values()))
  }
}
