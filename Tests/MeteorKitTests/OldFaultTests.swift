import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

/// What went wrong in the old app (Docs/old-apps.md), line by line, as far as reading, storing and querying
/// are concerned; the lines about SODA's cursor belong to the sync engine.
@Suite("What the old app got wrong")
struct OldFaultTests {
  private static func catalog(over transport: StubTransport) throws -> MeteoriteCatalog {
    let url = try #require(URL(string: "https://example.org/rows.json"))
    return MeteoriteCatalog(
      source: Download<Meteorite>(url, transport: transport), storage: .inMemory)
  }

  /// Answers late enough for callers to meet.
  private static func slowTransport() -> StubTransport {
    StubTransport {
      $0.on("meteorites.snapshot") { _ in
        try await letOthersRun()
        return TransportResponse(status: 200, body: .text(Rows.all))
      }
    }
  }

  // 3.5-1 of Docs/old-apps.md
  @Test("a row that lacks a column doesn't fail the batch")
  func oneRowLacksAColumn() throws {
    let rows = try Batch<Meteorite>(
      reading: Array(Rows.json(Rows.aachen, "{\"id\":\"5\"}", Rows.hoba).utf8))
    #expect(rows.records.map(\.id) == [1, 5, 11890])
    #expect(rows.failures.isEmpty)
    #expect(rows.records[1].massInGrams == nil)
  }

  // 3.5-2 of Docs/old-apps.md
  @Test("an invalid update of a stored row leaves the stored row unchanged")
  func badUpdateKeepsTheRow() async throws {
    let stones = Rows.numbered(1...40)
    let bad = stones.replacing("\"name\":\"Stone 3\"", with: "\"name\":\"Stone \u{FFFD}\"")
    var bytes = Array(bad.utf8)
    let mark = Array("\u{FFFD}".utf8)
    let place = try #require(bytes.indices.first { Array(bytes[$0...].prefix(3)) == mark })
    bytes.replaceSubrange(place..<place + 3, with: [0xFF])
    let source = FixedSource(rows: [
      try Batch<Meteorite>(reading: Array(stones.utf8)), try Batch<Meteorite>(reading: bytes),
    ])
    let catalog = MeteoriteCatalog(source: source, storage: .inMemory)
    try await catalog.refresh()
    let report = try await catalog.refresh(.now)
    #expect(report.failures.count == 1)
    #expect(report.removed == 0)
    #expect(try await catalog.meteorite(3)?.name == "Stone 3")
  }

  // 3.5-6 of Docs/old-apps.md
  @Test("a store that can't write fails the refresh, and the time doesn't change")
  func storeErrorsAreNotSwallowed() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let writing = MeteoriteCatalog(
      source: try FixedSource(json: Rows.all), storage: .directory(folder))
    try await writing.refresh()
    try await writing.close()
    let reading = MeteoriteCatalog(
      source: try FixedSource(
        json: Rows.json(Rows.aachen, Rows.hoba, Rows.osterplana, Rows.nowhere)),
      storage: .directory(folder, access: .readOnly))
    let before = try await reading.lastRefresh
    await #expect(throws: FieldError.self) { try await reading.refresh(.now) }
    #expect(try await reading.lastRefresh == before)
    #expect(try await reading.count() == 4)
  }

  // 3.5-7 of Docs/old-apps.md
  @Test(
    "the HTTP status is checked, and the error contains it",
    arguments: [
      (403, FieldError.Code.status), (404, .notFound), (410, .notFound), (429, .tooManyRequests),
      (500, .status),
    ])
  func statusIsChecked(status: Int, code: FieldError.Code) async throws {
    let transport = StubTransport {
      $0.on("meteorites.snapshot", respond: .text("<html>", status: status))
    }
    let catalog = try Self.catalog(over: transport)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(error?.code == code)
    #expect(error?.response?.status == status)
    #expect(error?.operation == "meteorites.snapshot")
  }

  // 3.5-7 of Docs/old-apps.md
  @Test("a custom transport's error is kept under a FieldError")
  func transportErrorIsKept() async throws {
    struct Mine: Error {}
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .error(Mine())) }
    let catalog = try Self.catalog(over: transport)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(error?.code == .transport)
    #expect(error?.underlying is Mine)
  }

  // 3.5-10 of Docs/old-apps.md
  @Test("concurrent refreshes at launch, in foreground, and in background are one")
  func oneRefreshAtATime() async throws {
    let transport = Self.slowTransport()
    let catalog = try Self.catalog(over: transport)
    let reports = try await withThrowingTaskGroup(of: RefreshReport.self) { group in
      for _ in 0..<20 { group.addTask { try await catalog.refresh(.now) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.count == 20)
    #expect(transport.requests.count == 1)
    #expect(reports.allSatisfy { $0.added == 4 })
  }

  // 3.5-10 of Docs/old-apps.md
  @Test("a forced refresh doesn't join one that only starts if due")
  func nowDoesNotJoinAWeakerRun() async throws {
    let transport = Self.slowTransport()
    let catalog = try Self.catalog(over: transport)
    async let weaker = catalog.refresh(.ifDue)
    try await eventually { !transport.requests.isEmpty }
    let report = try await catalog.refresh(.now)
    #expect(try await weaker.added == 4)
    #expect(report.unchanged == 4)
    #expect(transport.requests.count == 2)
  }

  // 3.5-11 of Docs/old-apps.md
  @Test("an ID is stored once, whatever the source does; the last row counts")
  func idsAreUnique() async throws {
    let catalog = MeteoriteCatalog(
      source: try FixedSource(
        deletion: .never, json: Rows.json(Rows.aachen, Rows.aachen.replacing("L5", with: "L6"))),
      storage: .inMemory)
    let report = try await catalog.refresh()
    #expect(try await catalog.count() == 1)
    #expect(try await catalog.meteorite(1)?.classification == "L6")
    #expect(report.failures.map(\.key) == ["1"])
  }

  // 3.5-12 of Docs/old-apps.md
  @Test("masses are doubles and optional, years are kept, 0/0 is suspicious")
  func valuesAreKept() throws {
    let meteorites = try Rows.meteorites(Rows.all)
    #expect(meteorites.map(\.massInGrams) == [21, 60_000_000, nil, 0.5])
    #expect(meteorites.map(\.year) == [1880, 1920, 1998, 2000])
    #expect(meteorites.map(\.positionIssue) == [nil, nil, nil, .zeroPlaceholder])
    let zero = try Rows.meteorites(Rows.json(Rows.aachen.replacing("\"21\"", with: "0")))
    #expect(zero[0].massInGrams == 0)
  }

  // 3.5-13 of Docs/old-apps.md
  @Test("every order of meteorites is total")
  func ordersAreTotal() async throws {
    let catalog = MeteoriteCatalog(
      source: try FixedSource(json: Rows.numbered([5, 3, 11, 2])), storage: .inMemory)
    try await catalog.refresh()
    for order in [
      MeteoriteQuery.Order.massDescending, .massAscending, .yearDescending, .yearAscending,
    ] {
      let found = try await catalog.find(MeteoriteQuery(order: order))
      #expect(found.map(\.id) == [2, 3, 5, 11], "\(order.rawValue)")
    }
    #expect(try await catalog.find().map(\.id) == [5, 3, 11, 2])
  }

  // 3.5-5 of Docs/old-apps.md
  @Test("the time of a success is that of the request, because later changes may be missing")
  func successIsTheTimeOfTheRequest() async throws {
    let clock = ManualClock()
    let start = clock.now
    let transport = StubTransport {
      $0.on("meteorites.snapshot") { _ in
        clock.advance(by: .seconds(30))
        return TransportResponse(status: 200, body: .text(Rows.all))
      }
    }
    let url = try #require(URL(string: "https://example.org/rows.json"))
    let catalog = MeteoriteCatalog(
      source: Download<Meteorite>(url, transport: transport), storage: .inMemory, clock: clock)
    let report = try await catalog.refresh()
    #expect(try await catalog.lastRefresh == start)
    #expect(report.date == start.addingTimeInterval(30))
  }

  // 3.5-14 of Docs/old-apps.md
  @Test("one meteorite is singular, and a row without an ID causes no crash")
  func oneMeteorite() throws {
    #expect(MeteoriteTexts.count(1).string() == "1 meteorite")
    let rows = try Batch<Meteorite>(reading: Array("[{\"name\":\"x\"}]".utf8))
    #expect(rows.failures.count == 1)
  }

  // 3.5-15 of Docs/old-apps.md
  @Test("a success in the future doesn't block refreshes forever")
  func futureSuccessDoesNotBlock() async throws {
    let clock = ManualClock()
    let catalog = MeteoriteCatalog(
      source: try FixedSource(json: Rows.all), storage: .inMemory, clock: clock)
    try await catalog.refresh()
    clock.set(now: clock.now.addingTimeInterval(-10 * 86_400))
    #expect(try await catalog.refresh().outcome == .unchanged)
  }
}
