import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import Testing

/// Each line of the old app's checklist, R1 to R14, by its number. The cursor of R1 and the ids request
/// of R14 belong to the sync engine.
@Suite("The old app's checklist")
struct ChecklistTests {
  private let clock = ManualClock()

  private func catalog(_ source: any RecordSource<Meteorite>) -> MeteoriteCatalog {
    MeteoriteCatalog(source: source, storage: .inMemory, clock: clock)
  }

  // R1 of Docs/old-apps.md
  @Test("the first run downloads all meteorites, without validators")
  func r1() async throws {
    let transport = StubTransport {
      $0.on(
        "meteorites.snapshot", respond: .json(text: Rows.all, fields: ["ETag": "W/\"a--gzip\""]))
    }
    let url = try #require(URL(string: "https://example.org/rows.json"))
    let catalog = catalog(Download<Meteorite>(url, transport: transport))
    let report = try await catalog.refresh()
    #expect(report.outcome == .updated)
    #expect(report.added == 4)
    #expect(transport.requests[0].fields["If-None-Match"] == nil)
    let fell = try await catalog.find(MeteoriteQuery(fall: .fell, years: 1800...))
    #expect(fell.map(\.name) == ["Aachen"])
  }

  // R2 of Docs/old-apps.md
  @Test(
    "a refresh is due after more than 86,400 seconds, not after exactly that many",
    arguments: [(86_399.0, false), (86_400, false), (86_400.001, true), (200_000, true)])
  func r2(seconds: Double, isDue: Bool) async throws {
    let source = try FixedSource(json: Rows.all)
    let catalog = catalog(source)
    try await catalog.refresh()
    clock.advance(by: .seconds(seconds))
    let report = try await catalog.refresh()
    #expect((report.outcome != .notDue) == isDue)
    #expect(source.requests.count == (isDue ? 2 : 1))
  }

  // R3 of Docs/old-apps.md
  @Test("a failure keeps the time and the data; a success sets the time")
  func r3() async throws {
    let rows = try Batch<Meteorite>(reading: Array(Rows.all.utf8))
    let source = FixedSource(
      .success(rows), .failure(FieldError(.offline, "no network")))
    let catalog = catalog(source)
    try await catalog.refresh()
    let first = try await catalog.lastRefresh
    #expect(first == clock.now)
    clock.advance(by: .seconds(100_000))
    await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(try await catalog.lastRefresh == first)
    #expect(try await catalog.count() == 4)
  }

  // R4 of Docs/old-apps.md
  @Test("the date of the next refresh is a day after the last success")
  func r4() async throws {
    let catalog = catalog(try FixedSource(json: Rows.all))
    #expect(try await catalog.nextRefreshDate == clock.now)
    try await catalog.refresh()
    let next = try #require(try await catalog.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(clock.now) - 86_400) < 0.001)
    clock.set(now: next)
    #expect(try await catalog.refresh().outcome != .notDue)
  }

  // R4 of Docs/old-apps.md
  @Test("canceling the task ends the refresh and keeps what is stored")
  func r4Cancellation() async throws {
    let catalog = catalog(
      Download<Meteorite>(
        try #require(URL(string: "https://example.org/rows.json")),
        transport: StubTransport {
          $0.on("meteorites.snapshot") { _ in
            try await Task.sleep(for: .seconds(60))
            return TransportResponse(status: 200)
          }
        }))
    let task = Task { try await catalog.refresh() }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await catalog.count() == 0)
  }

  // R5 of Docs/old-apps.md
  @Test("a known ID is updated in all its fields, an unknown one is added")
  func r5() async throws {
    let changed = Rows.aachen.replacing("\"mass\":\"21\",", with: "").replacing("L5", with: "L6")
    let catalog = catalog(
      try FixedSource(json: Rows.json(Rows.aachen), Rows.json(changed, Rows.hoba)))
    try await catalog.refresh()
    let report = try await catalog.refresh(.now)
    #expect((report.added, report.updated, report.removed) == (1, 1, 0))
    let aachen = try #require(try await catalog.meteorite(1))
    #expect(aachen.classification == "L6")
    #expect(aachen.massInGrams == nil)
  }

  // R6 of Docs/old-apps.md
  @Test("a row without an ID is rejected, and others are kept, even without a position")
  func r6() async throws {
    let noID = Rows.hoba.replacing("\"id\":\"11890\",", with: "")
    let noPlace = """
      {"name":"Lost","id":"7","recclass":"L6","mass":"1"}
      """
    let catalog = catalog(
      try FixedSource(deletion: .never, json: Rows.json(Rows.aachen, noID, noPlace)))
    let report = try await catalog.refresh()
    #expect(report.failures.map(\.index) == [1])
    #expect(try await catalog.count() == 2)
    #expect(try await catalog.meteorite(7)?.positionIssue == .missing)
  }

  // R7 of Docs/old-apps.md
  @Test("the heaviest meteorites come first, those without a mass last, ties by ID")
  func r7() async throws {
    let twin = Rows.aachen.replacing("\"id\":\"1\"", with: "\"id\":\"10\"")
    let light = twin.replacing("\"id\":\"10\"", with: "\"id\":\"9\"")
    let catalog = catalog(
      try FixedSource(json: Rows.json(Rows.osterplana, twin, Rows.hoba, light, Rows.aachen)))
    try await catalog.refresh()
    let found = try await catalog.find(MeteoriteQuery(order: .massDescending))
    #expect(found.map(\.id) == [11890, 1, 9, 10, 44852])
  }

  // R8 of Docs/old-apps.md
  @Test("a meteorite is found by its ID, from text or number")
  func r8() async throws {
    let catalog = catalog(try FixedSource(json: Rows.all))
    try await catalog.refresh()
    #expect(try await catalog.meteorite(11890)?.name == "Hoba")
    #expect(try await catalog.meteorite("11890")?.name == "Hoba")
    #expect(try await catalog.meteorite("011890") == nil)
    #expect(try await catalog.view()[44852]?.name == "Österplana 009")
  }

  // R9 of Docs/old-apps.md
  @Test(
    "the number of meteorites is formatted as text",
    arguments: [
      (1 as Int?, "1 meteorite"), (0, "0 meteorites"), (7, "7 meteorites"),
      (45_716, "45,716 meteorites"),
      (nil, "Unknown count of meteorites"),
    ])
  func r9(count: Int?, text: String) {
    #expect(MeteoriteTexts.count(count).string(numbers: .grouped) == text)
  }

  // R10 of Docs/old-apps.md
  @Test(
    "the mass of a meteorite has three decimals in the host's separators, and 0 and nil are unknown",
    arguments: [
      (21.0 as Double?, "21,000 g"), (992.5, "992,500 g"), (0.01, "0,010 g"),
      (107_000, "107.000,000 g"),
      (78.400000000000006, "78,400 g"), (1.0005, "1,001 g"), (0, "Mass unknown"),
      (nil, "Mass unknown"),
    ])
  func r10(mass: Double?, text: String) {
    let meteorite = Meteorite(id: 1, name: "x", massInGrams: mass)
    let style = NumberStyle(decimalSeparator: ",", groupingSeparator: ".")
    #expect(MeteoriteTexts.mass(of: meteorite).string(numbers: style) == text)
  }

  // R10 of Docs/old-apps.md
  @Test("a missing name is reported, and a host replaces each text by its key")
  func r10Names() {
    let nameless = Meteorite(id: 1, name: " ")
    let text = MeteoriteTexts.name(of: nameless)
    #expect(text.string() == "Unknown name")
    let czech = TextCatalog([TextLanguage(rawValue: "cs"): ["meteorites.name.unknown": "Neznámý"]])
    #expect(text.string(in: TextLanguage(rawValue: "cs"), catalog: czech) == "Neznámý")
    #expect(MeteoriteTexts.unknown.string() == "Unknown")
    #expect(MeteoriteTexts.threshold(of: .big)?.string(numbers: .grouped) == "10,000 g")
  }

  // R9 of Docs/old-apps.md
  @Test(
    "the number of meteorites has the forms of Slovak",
    arguments: [
      (0 as Int?, "0 meteoritov"), (1, "1 meteorit"), (2, "2 meteority"), (4, "4 meteority"),
      (5, "5 meteoritov"), (22, "22 meteoritov"), (45_716, "45 716 meteoritov"),
      (nil, "Neznámy počet meteoritov"),
    ])
  func r9Slovak(count: Int?, text: String) {
    let style = NumberStyle(decimalSeparator: ",", groupingSeparator: " ")
    for tag in ["sk", "sk-SK", "sk_SK"] {
      let language = TextLanguage(rawValue: tag)
      #expect(MeteoriteTexts.count(count).string(in: language, numbers: style) == text)
    }
  }

  // R10 of Docs/old-apps.md
  @Test("every text of meteorites exists in Slovak")
  func r10Slovak() {
    let aachen = Meteorite(id: 1, name: "Aachen", massInGrams: 21)
    let unknown = Meteorite(id: 2, name: " ")
    let style = NumberStyle(decimalSeparator: ",", groupingSeparator: " ")
    let texts =
      [
        MeteoriteTexts.name(of: aachen), MeteoriteTexts.name(of: unknown),
        MeteoriteTexts.mass(of: aachen), MeteoriteTexts.mass(of: unknown), MeteoriteTexts.unknown,
      ] + MeteoriteSizeClass.allCases.map(MeteoriteTexts.name(of:))
      + MeteoriteSizeClass.allCases.compactMap(MeteoriteTexts.threshold(of:))
    #expect(texts.allSatisfy { $0.templates[.slovak] != nil })
    #expect(
      texts.map { $0.string(in: .slovak, numbers: style) } == [
        "Aachen", "Neznámy názov", "21,000 g", "Neznáma hmotnosť", "Neznáme", "Veľké", "Malé",
        "Ostatné", "10 000 g", "1 000 g",
      ])
  }

  // R11 of Docs/old-apps.md
  @Test(
    "a meteorite is big from 10 kg, small from 1 kg, and other below or without a mass",
    arguments: [
      (10_000.0 as Double?, MeteoriteSizeClass.big), (9_999.999, .small), (1_000, .small),
      (999.999, .other),
      (0, .other), (nil, .other),
    ])
  func r11(mass: Double?, sizeClass: MeteoriteSizeClass) {
    #expect(Meteorite(id: 1, name: "x", massInGrams: mass).sizeClass == sizeClass)
  }

  // R12 of Docs/old-apps.md
  @Test("a pin has the name, the class, and a region of 10° by 10° around it")
  func r12() throws {
    let hoba = try #require(try Rows.meteorites(Rows.json(Rows.hoba)).first)
    let pin = try #require(try hoba.mapPin())
    #expect((pin.title, pin.subtitle) == ("Hoba", "Iron, IVB"))
    #expect(abs(pin.region.latitudeSpan - 10) < 1e-9)
    #expect(abs(pin.region.longitudeSpan - 10) < 1e-9)
    #expect(pin.region.contains(pin.coordinate))
    let nowhere = try #require(try Rows.meteorites(Rows.json(Rows.nowhere)).first)
    #expect(try nowhere.mapPin() == nil)
  }

  // R13 of Docs/old-apps.md
  @Test("an observer gets the current state, and then the newest after each change")
  func r13() async throws {
    let catalog = catalog(try FixedSource(json: Rows.json(Rows.aachen), Rows.all))
    var updates = catalog.updates().makeAsyncIterator()
    #expect(try await updates.next()?.count == 0)
    try await catalog.refresh()
    #expect(try await updates.next()?.count == 1)
    try await catalog.refresh(.now)
    let view = try #require(try await updates.next())
    #expect(view.count == 4)
    #expect(view[11890]?.name == "Hoba")
  }

  // R14 of Docs/old-apps.md
  @Test("a complete snapshot removes missing rows; the policy .never removes nothing")
  func r14() async throws {
    let many = Rows.numbered(1...40)
    let fewer = Rows.numbered(2...40)
    let removing = catalog(try FixedSource(json: many, fewer))
    try await removing.refresh()
    #expect(try await removing.refresh(.now).removed == 1)
    #expect(try await removing.meteorite(1) == nil)
    let keeping = catalog(try FixedSource(deletion: .never, json: many, fewer))
    try await keeping.refresh()
    #expect(try await keeping.refresh(.now).removed == 0)
    #expect(try await keeping.count() == 40)
  }

  @Test("The old app's time is imported once, and a future time counts as now")
  func adoption() async throws {
    let catalog = catalog(try FixedSource(json: Rows.all))
    #expect(try await catalog.importLegacyTimestamp(0) == false)
    let future = Int(clock.now.timeIntervalSince1970) + 1_000_000
    #expect(try await catalog.importLegacyTimestamp(future))
    #expect(try await catalog.lastRefresh == clock.now)
    #expect(try await catalog.importLegacyTimestamp(future) == false)
  }
}
