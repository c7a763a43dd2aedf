import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Tables of a directory", .timeLimit(.minutes(60)))
struct CivicTableTests {
  @Test(
    "a directory's tables are known by name in any case",
    arguments: [
      ("administrativeunit", CivicTable.units), ("INKEYWORD", .keywordLinks),
      ("searchcache", .searchHistory), ("edm", .banners),
    ])
  func names(_ name: String, _ table: CivicTable) {
    #expect(CivicTable(rawValue: name) == table)
  }

  @Test("a directory has eleven tables, of which seven are the server's")
  func count() {
    #expect(Set(CivicTable.all).count == 11)
    #expect(CivicTable.synchronized.count == 7)
    #expect(CivicTable.all.contains(CivicTable(rawValue: "beacon")) == false)
  }

  @Test("tables are read from a folder, named for the city or not; two files for one are an error")
  func files() async throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("tainan-EDM.json", #"[{"edmId":"e1","edmName":"花燈"}]"#), ("README.md", "no table"),
      ("administrativeUnit.json", #"[{"unitId":"u1","name":"甲"}]"#), ("rss.xml", "<rss/>"),
      ("hot.json", "[]"),
    ] {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    let directory = try CivicFixture(isFilled: false).directory
    let report = try await directory.importTables(in: folder.url)
    #expect(report.added == 2)
    try Data("[]".utf8).write(to: folder.url.appending(path: "edm.json"))
    let error = await #expect(throws: FieldError.self) {
      try await directory.importTables(in: folder.url)
    }
    #expect(error?.code == .invalidInput)
  }

  @Test("tables are read after white space, and with IDs that a spreadsheet turned into decimals")
  func spreadsheet() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply([
      .units: Data(
        "\r\n [{\"unitId\":\"1\",\"name\":\"甲\"},{\"unitId\":2.0,\"name\":\"乙\",\"parentUnitId\":\"1.0\"}]"
          .utf8),
      .categories: Data("\u{FEFF}\n[{\"categoryId\":\"5.0\",\"name\":\"丙\"}]".utf8),
      .memberships: Data(" \n[{\"unitId\":\"2\",\"categoryId\":5}]".utf8),
      .banners: Data(#"[{"edmId":"1.5","edmName":"花燈","edmImage":"-","edmURL":"N/A"}]"#.utf8),
    ])
    let units = try await directory.rows(CivicUnit.self)
    #expect(units.map(\.id.rawValue) == ["1", "2"])
    #expect(units.map { $0.parentID?.rawValue } == [nil, "1"])
    let links = try await directory.rows(UnitMembership.self)
    #expect(links.map(\.unitID.rawValue) == ["2"])
    #expect(links.map(\.categoryID.rawValue) == ["5"])
    let banner = try #require(try await directory.rows(CivicBanner.self).first)
    #expect(banner.id.rawValue == "1.5")
    #expect(banner.imageName == nil)
    #expect(banner.address == nil)
  }

  @Test(
    "tables of a folder are stored all or none, and every unusable file is named",
    arguments: [
      ("[{\"edmId\":\"e1\"},]", FieldError.Code.malformed), ("", .emptyBody),
      ("[{\"edmId\":", .cut),
      ("<html><title>Moved</title>", .notData), ("7", .schema), (#"{"result":3}"#, .civicResult),
      ("[{\"edmName\":\"花燈\"}]", .unusableCivicRows),
    ])
  func badFile(text: String, code: FieldError.Code) async throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("administrativeUnit.json", #"[{"unitId":"u1","name":"甲"}]"#), ("tainan-EDM.json", text),
    ] {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    let directory = try CivicFixture(isFilled: false).directory
    let error = await #expect(throws: FieldError.self) {
      try await directory.importTables(in: folder.url)
    }
    #expect(error?.code == code)
    #expect(error?.message.hasPrefix("tainan-EDM.json: ") == true)
    #expect(error?.problems.isEmpty == (code != .unusableCivicRows))
    #expect(try await directory.rows(CivicUnit.self).isEmpty)
    try Data("[1".utf8).write(to: folder.url.appending(path: "keyword.json"))
    guard code != .unusableCivicRows else { return }
    let both = await #expect(throws: FieldError.self) {
      try await directory.importTables(in: folder.url)
    }
    #expect(both?.problems.map { $0.prefix { $0 != ":" } } == ["tainan-EDM.json", "keyword.json"])
  }

  @Test("tables can't be read from a folder that is missing or empty")
  func noFiles() async throws {
    let folder = try TemporaryFolder()
    let none = await #expect(throws: FieldError.self) { try await CivicTableFiles.read(folder.url) }
    #expect(none?.code == .invalidInput)
    let gone = await #expect(throws: FieldError.self) {
      try await CivicTableFiles.read(folder.url.appending(path: "gone"))
    }
    #expect(gone?.code == .io)
  }

  @Test(
    "a directory's tables are cleaned of invalid characters",
    arguments: [
      ("null", nil), ("NULL", nil), ("", nil), (" \t\u{3000}\u{FEFF}", nil),
      (" mayor@x.tw ", "mayor@x.tw"), ("nullable", "nullable"), ("0", "0"),
    ] as [(String, String?)])
  func clean(_ text: String, _ expected: String?) async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let json = try JSONEncoder().encode([["unitId": "u", "name": "n", "email": text]])
    try await directory.apply(json, to: .units)
    #expect(try await directory.unit("u")?.unit.email == expected)
  }

  @Test("units are roots where the parent is 0, blank, or null", arguments: ["0", " ", "null", ""])
  func roots(_ parent: String) async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let json = try JSONEncoder().encode(["unitId": "u", "name": "n", "parentUnitId": parent])
    try await directory.apply(json, to: .units)
    #expect(try await directory.unit("u")?.parent == UnitParent.none)
  }

  @Test("a directory's tables have no place at 0/0, and half a place keeps the other half")
  func places() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    for (json, place) in [
      (#"{"unitId":"u","x":0,"y":0}"#, nil), (#"{"unitId":"u","x":"409","y":729}"#, (409, 729)),
      (#"{"unitId":"u","x":410}"#, (410, 729)), (#"{"unitId":"u","name":"n"}"#, (410, 729)),
      (#"{"unitId":"u","x":0,"y":0}"#, nil),
    ] as [(String, (Int, Int)?)] {
      try await directory.apply(Data(json.utf8), to: .units)
      let expected = place.map { PlanPosition(x: $0.0, y: $0.1) }
      #expect(try await directory.unit("u")?.unit.planPosition == expected)
    }
  }

  @Test(
    "a directory's tables have the last day of a banner in any spelling",
    arguments: [
      "2016-09-20", "2016/9/20", "2016-09-20 23:59:59", "105-09-20", "105年9月20日", "20160920",
      "2016-09-20T00:00:00+08:00", "2016/09/01~2016/09/20", "105/9/1-9/20", "2016-09-20 9:00–17:00",
    ])
  func lastDay(text: String) async throws {
    let fixture = try CivicFixture(isFilled: false)
    try await fixture.directory.apply(
      Data(#"{"edmId":"e","edmName":"花燈","edmEndDay":"\#(text)"}"#.utf8), to: .banners)
    let banner = try #require(try await fixture.directory.banners(includingPast: true).first)
    #expect(banner.lastDay?.description == "2016-09-20")
    #expect(try await fixture.directory.banners().isEmpty)
  }

  @Test(
    "a directory's tables have days with the order of day and month that other rows show, or none")
  func orderOfDays() async throws {
    func days(_ days: String...) async throws -> [String?] {
      let directory = try CivicFixture(isFilled: false).directory
      let rows = days.enumerated().map {
        #"{"edmId":"\#($0)","edmName":"花燈","edmEndDay":"\#($1)"}"#
      }
      try await directory.apply(Data("[\(rows.joined(separator: ","))]".utf8), to: .banners)
      return try await directory.banners(includingPast: true).sorted {
        $0.id.rawValue < $1.id.rawValue
      }
      .map { $0.lastDay?.description }
    }
    #expect(try await days("03/04/2026", "25/03/2026") == ["2026-04-03", "2026-03-25"])
    #expect(try await days("03/04/2026", "03/25/2026") == ["2026-03-04", "2026-03-25"])
    #expect(try await days("03/04/2026", "2026-03-25") == [nil, "2026-03-25"])
  }

  @Test("a directory's tables have several keywords in one string")
  func keywords() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply(
      Data(#"{"unitId":"u","name":"n","keyword":"社會、 福利,社會；null"}"#.utf8), to: .units)
    #expect(try await directory.unit("u")?.unit.keywords == ["社會", "福利"])
  }

  @Test(
    "a directory's tables report the floor according to the plan",
    arguments: [
      ("field_1450746296", "B2"), ("field_1450776651", "1F"),
      ("field_568ca9e955ef97_85573595", "16F"), ("field_new", nil),
    ] as [(String, String?)])
  func floors(_ field: String, _ floor: String?) {
    #expect(PlanField(rawValue: field).floor?.description == floor)
  }

  @Test("tables ask the server for rows newer than those that an app ships, if configured")
  func cursorOfFiles() async throws {
    let fixture = try CivicFixture()
    let row = Data(#"[{"edmId":"e1","edmName":"花燈","lastUpdateTime":1480000000}]"#.utf8)
    try await fixture.directory.apply(row, to: .banners, advancingCursor: true)
    try await fixture.directory.apply(
      Data(#"[{"appId":"a1","lastUpdateTime":1480000000}]"#.utf8), to: .apps)
    try await fixture.directory.refresh()
    let since = Dictionary(
      fixture.server.requestedTables.map { ($0.table, $0.since) }, uniquingKeysWith: { $1 })
    #expect(since["edm"] == 1_479_999_999)
    #expect(since["mobileApp"] == 0)
  }

  @Test("a directory's tables survive a JSON round trip")
  func snapshots() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try await fixture.directory.searchHistory.add("社會")
    _ = try await fixture.directory.claimFirstLaunch(of: .app)
    let exported = try await fixture.directory.export()
    let json = try exported.json()
    #expect(try CivicSnapshot(json: json) == exported)
    let other = try CivicFixture(isFilled: false).directory
    try await other.upsert(CivicUnit(id: "old", name: "舊"))
    _ = try await other.claimFirstLaunch(of: .map)
    try await other.restore(exported)
    var restored = try await other.export()
    #expect(restored.launchFlags == [.map, .app])
    restored.launchFlags = exported.launchFlags
    #expect(restored == exported)
    #expect(try await other.claimFirstLaunch(of: .map) == false)
    #expect(try await other.claimFirstLaunch(of: .app) == false)
    let none = #expect(throws: FieldError.self) { try CivicSnapshot(json: Data("[]".utf8)) }
    #expect(none?.code == .malformed)
  }

  @Test("a directory's tables are visible to observers")
  func updates() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    var updates = directory.updates().makeAsyncIterator()
    #expect(try await updates.next()?.units.isEmpty == true)
    try await directory.upsert(CivicUnit(id: "u", name: "甲"))
    #expect(try await updates.next()?.units.map(\.name) == ["甲"])
    try await directory.close()
    #expect(try await updates.next() == nil)
  }

  @Test("a directory's tables are erased with their cursors, the history, and the first launches")
  func erased() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try await fixture.directory.searchHistory.add("社會")
    _ = try await fixture.directory.claimFirstLaunch(of: .app)
    try await fixture.directory.eraseAll()
    #expect(try await fixture.snapshot().isEmpty)
    #expect(try await fixture.directory.lastRefresh == nil)
    #expect(try await fixture.directory.claimFirstLaunch(of: .app))
    try await fixture.directory.refresh()
    #expect(fixture.server.requestedTables.suffix(7).allSatisfy { $0.since == 0 })
  }

  @Test("a directory without a server refreshes only its feeds, and throws if they fail")
  func withoutServer() async throws {
    let clock = ManualClock(now: CivicFixture.now)
    let directory = CivicDirectory(
      source: nil, repository: InMemoryStore(),
      feeds: CityFeeds(
        storage: .inMemory,
        transport: StubTransport { $0.onRequest(where: { _ in true }, respond: .error(.offline)) },
        clock: clock),
      pictures: AssetCache(storage: .inMemory, transport: FakeCivicService()),
      clock: clock)
    let error = await #expect(throws: FieldError.self) { try await directory.refresh() }
    #expect(error?.code == .offline)
    let picture = await #expect(throws: FieldError.self) {
      try await directory.image(for: CivicApp(id: "a", name: "n", imageName: "a.png"))
    }
    #expect(picture?.code == .noCivicService)
  }

  @Test("a feed that fails doesn't stop the tables, and appears in the notices")
  func failingFeed() async throws {
    let fixture = try CivicFixture()
    let transport = StubTransport { stubs in
      stubs.on("civic.table") { try await fixture.server.send($0) }
      stubs.onRequest(where: { $0.operation != "civic.table" }, respond: .error(.offline))
    }
    let directory = CivicDirectory(
      source: CivicServer(
        CivicService(baseURL: fixture.server.baseURL, project: fixture.server.project),
        transport: transport),
      repository: InMemoryStore(),
      feeds: CityFeeds(storage: .inMemory, transport: transport, clock: fixture.clock),
      pictures: AssetCache(storage: .inMemory, transport: transport),
      clock: fixture.clock)
    let report = try await directory.refresh()
    #expect(report.added == 25)
    #expect(report.notices.map(\.code) == [.partFailed])
    #expect(try await directory.facilities().count == 2)
  }
}
