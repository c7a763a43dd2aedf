import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MeteorKit
import TestSupport
import Testing

/// The scenarios S41 to S47 of Docs/old-apps.md: what the wire may hold.
@Suite("Formats")
struct SyncFormatsTests {
  /// A place in a cell, and what it should be.
  struct Place: Sendable, CustomTestStringConvertible {
    var members: String
    var latitude: Double?
    var longitude: Double?
    var issue: Meteorite.PositionIssue?
    var testDescription: String { members }

    init(_ members: String, _ latitude: Double, _ longitude: Double) {
      self.members = members
      (self.latitude, self.longitude) = (latitude, longitude)
    }

    init(_ members: String, _ issue: Meteorite.PositionIssue) {
      self.members = members
      self.issue = issue
    }
  }

  static let places: [Place] = [
    // The four shapes.
    Place(#""geolocation":{"latitude":"50.775","longitude":"6.08333"}"#, 50.775, 6.08333),
    Place(#""geolocation":{"type":"Point","coordinates":[6.08333,50.775]}"#, 50.775, 6.08333),
    Place(#""geolocation":[null,"50.775","6.08333",null,false]"#, 50.775, 6.08333),
    Place(#""geolocation":"(50.775, 6.08333)""#, 50.775, 6.08333),
    // Their variants.
    Place(#""geolocation":{"longitude":6.08333,"latitude":50.775}"#, 50.775, 6.08333),
    Place(#""geolocation":{"coordinates":["6.08333","50.775"],"type":"Point"}"#, 50.775, 6.08333),
    Place(#""geolocation":{"type":"Point","coordinates":[6.08333,50.775,120]}"#, 50.775, 6.08333),
    Place(#""geolocation":["{}",50.775,6.08333,"0",true]"#, 50.775, 6.08333),
    Place(
      #""geolocation":{"latitude":"50.775","longitude":"6.08333","needs_recoding":false,"#
        + #""human_address":"{\"address\":\"1, Rue\",\"city\":\"\",\"state\":\"\",\"zip\":\"\"}"}"#,
      50.775, 6.08333),
    Place(#""geolocation":{"latitude":"0","longitude":"0"}"#, .zeroPlaceholder),
    Place(#""geolocation":{"latitude":"4.5","longitude":"354.47333"}"#, .longitudeOutOfRange),
    // The columns of the two numbers come first.
    Place(
      #""reclat":"1","reclong":"2","geolocation":{"latitude":"50.775","longitude":"6.08333"}"#,
      1, 2),
    // Nothing is there.
    Place(#""name":"x""#, .missing),
    Place(#""geolocation":null"#, .missing),
    Place(#""geolocation":{}"#, .missing),
    Place(#""geolocation":"""#, .missing),
    Place(#""geolocation":[null,null,null,null,null]"#, .missing),
    Place(#""geolocation":{"latitude":"50.775"}"#, .missing),
    Place(#""geolocation":{"longitude":"6.08333"}"#, .missing),
    Place(#""geolocation":{"human_address":"{\"address\":\"1, Rue\"}"}"#, .missing),
    Place(#""reclat":null,"reclong":null,"geolocation":null"#, .missing),
    // Something is there that is no place.
    Place(#""geolocation":{"latitude":"north","longitude":"6"}"#, .unreadable),
    Place(#""geolocation":{"latitude":"91","longitude":"6"}"#, .unreadable),
    Place(#""geolocation":{"type":"Point","coordinates":[6]}"#, .unreadable),
    Place(#""geolocation":{"type":"Point","coordinates":[]}"#, .unreadable),
    Place(#""geolocation":{"type":"Point","coordinates":[null,null]}"#, .missing),
    Place(#""geolocation":[null,"50.775"]"#, .unreadable),
    Place(#""geolocation":"Aachen""#, .unreadable),
    Place(#""geolocation":7"#, .unreadable),
    Place(#""reclat":"1""#, .unreadable),
  ]

  // S41 of Docs/old-apps.md
  @Test(
    "a place is read in four shapes, with nulls, missing members, and human_address",
    arguments: places)
  func geometry(place: Place) async throws {
    for meteorites in try await SmallSODA.bothWays(["\"id\":\"1\",\(place.members)"]) {
      let meteorite = try #require(meteorites.first)
      #expect(meteorites.count == 1)
      #expect(meteorite.positionIssue == place.issue)
      guard let latitude = place.latitude, let longitude = place.longitude else { continue }
      #expect(
        meteorite.coordinate == (try Coordinate(latitude: latitude, longitude: longitude)))
    }
  }

  // S42 of Docs/old-apps.md
  @Test(
    "a number is read as text or number, with noise or an exponent; an empty one or NaN is nil",
    arguments: [
      ("\"21\"", 21.0, nil), ("21", 21, nil), ("21.0", 21, nil), ("\" 21 \"", 21, nil),
      ("\"78.400000000000006\"", 78.4, nil), ("132.69999999999999", 132.7, nil),
      ("\"1.2e3\"", 1_200, nil), ("6E+7", 60_000_000, nil), ("\"1e-2\"", 0.01, nil),
      ("\"0\"", 0, nil), ("0.0", 0, nil), ("\"0.01\"", 0.01, nil),
      ("\"60000000.000000000000000000000001\"", 60_000_000, nil),
      ("\"\"", nil, nil), ("\"  \"", nil, nil), ("null", nil, nil), ("\"null\"", nil, nil),
      ("\"NaN\"", nil, "NaN"), ("\"-inf\"", nil, "-inf"), ("1e999", nil, "1e999"),
      ("\"-5\"", nil, "-5"), ("\"1,000\"", nil, "1,000"), ("\"21 g\"", nil, "21 g"),
      ("true", nil, "true"), ("[21]", nil, "[21]"),
    ] as [(String, Double?, String?)])
  func numbers(text: String, mass: Double?, unreadable: String?) async throws {
    for meteorites in try await SmallSODA.bothWays(["\"id\":\"1\",\"mass\":\(text)"]) {
      let meteorite = try #require(meteorites.first)
      #expect(meteorite.massInGrams == mass)
      #expect(meteorite.unreadable["mass"] == unreadable)
    }
  }

  // MARK: Years

  /// The text of a year in JSON, and the year.
  static let years: [(text: String, year: Int?)] = [
    ("\"1880-01-01T00:00:00.000\"", 1880), ("\"1880-01-01T00:00:00\"", 1880),
    ("\"1880-01-01T00:00\"", 1880), ("\"1880-12-31T23:59:59.999\"", 1880),
    ("\"1880-01-01\"", 1880), ("\"01/01/1880 12:00:00 AM\"", 1880), ("\"01/01/1880\"", 1880),
    ("\"1880\"", 1880), ("1880", 1880), ("\"1880.0\"", 1880), ("1880.0", 1880),
    ("\"0861-01-01T00:00:00.000\"", 861), ("\"0860\"", 860), ("\"860\"", 860), ("860", 860),
    ("\"301 BC\"", -300), ("\"-300\"", -300), ("\"1 BCE\"", 0), ("\"861 AD\"", 861),
    ("\"2101-01-01T00:00:00.000\"", 2101), ("\"2501\"", 2501), ("\"\"", nil), ("null", nil),
    ("\"long ago\"", nil), ("\"13/13/1880\"", nil), ("\"20000\"", nil),
  ]

  /// The text of a year in CSV, where the calendar is the Julian one before 1582, and the year.
  static let yearsOfCSV: [(text: String, year: Int?)] = [
    ("0860", 861), ("860", 861), ("1491", 1492), ("1581", 1582), ("1582", 1582), ("1880", 1880),
    ("01/01/0860 12:00:00 AM", 861), ("0861-01-01T00:00:00.000", 861), ("1880.0", 1880),
    ("301 BC", -299), ("2101", 2101), ("", nil),
  ]

  /// Reads all years in all ways, and the times of a portal; whatever the zone of the process is.
  static func checkYears() async throws {
    let rows = years.enumerated().map { number, row in "\"id\":\(number),\"year\":\(row.text)" }
    for meteorites in try await SmallSODA.bothWays(rows) {
      #expect(meteorites.map { $0.year?.rawValue } == years.map(\.year))
    }
    let lines = yearsOfCSV.enumerated().map { "\($0.offset),\($0.element.text)" }
    let csv = "id,year\n" + lines.joined(separator: "\n") + "\n"
    let read = try Batch<Meteorite>(reading: Array(csv.utf8)).records
    #expect(read.map { $0.year?.rawValue } == yearsOfCSV.map(\.year))
    #expect(Meteorite.Year(2101).validity(currentYear: 2026) == .future)
    #expect(Meteorite.Year(-300).validity(currentYear: 2026) == .beforeOurEra)
    let floating = SODAValue("2026-01-01T00:00:00.000")
    #expect(floating.day == (try CalendarDay("2026-01-01")))
    #expect(floating.date == nil)
    let fixed = SODAValue("2026-01-01T00:00:00.000Z")
    #expect(fixed.date == Date(timeIntervalSince1970: 1_767_225_600))
    #expect(fixed.day == (try CalendarDay("2026-01-01")))
    // What goes out is as free of the zone as what comes in.
    let (day, date) = (try CalendarDay("1880-01-01"), Date(timeIntervalSince1970: 1_577_664_000))
    let condition: SoQL = "year >= \(day) AND :updated_at > \(date)"
    #expect(
      condition.description
        == "year >= '1880-01-01T00:00:00.000' AND :updated_at > '2019-12-30T00:00:00.000Z'")
  }

  // S43 of Docs/old-apps.md
  @Test("every form of a year is read, from 0860 and BC to a future one")
  func years() async throws { try await Self.checkYears() }

  /// Reads all years in a process whose zone is another one.
  static func checkYears(in zone: String) async throws {
    unsafe setenv("TZ", zone, 1)
    tzset()
    // Else the test would show nothing.
    #expect(TimeZone.current.identifier == zone)
    #expect(TimeZone.current.secondsFromGMT() != 0)
    try await checkYears()
  }

  // S43 of Docs/old-apps.md
  @Test(
    "a device in the zone Asia/Tokyo shifts neither a year nor a time", .inAnotherProcess,
    .needsProcesses)
  func tokyo() async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) {
        try await SyncFormatsTests.checkYears(in: "Asia/Tokyo")
      }
    #endif
  }

  // S43 of Docs/old-apps.md
  @Test(
    "a device in the zone Pacific/Apia shifts neither a year nor a time", .inAnotherProcess,
    .needsProcesses)
  func apia() async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) {
        try await SyncFormatsTests.checkYears(in: "Pacific/Apia")
      }
    #endif
  }

  // S43 of Docs/old-apps.md
  @Test(
    "a device in the zone America/St_Johns shifts neither a year nor a time", .inAnotherProcess,
    .needsProcesses)
  func saintJohns() async {
    #if os(macOS) || os(Linux)
      await #expect(processExitsWith: .success) {
        try await SyncFormatsTests.checkYears(in: "America/St_Johns")
      }
    #endif
  }

  // MARK: Files

  private static let expected = [
    "1|Aachen|L5|21.0|Fell|Valid|1880|50.775, 6.08333",
    "44852|Österplana 009|Relict OC||Found|Relict|1998|58.58333, 13.43333",
    "7|A \"b\", c |Unknown|78.4|Found|Valid|861|",
  ]

  private static func lines(_ meteorites: some Sequence<Meteorite>) -> [String] {
    meteorites.map { meteorite in
      let cells: [String] = [
        meteorite.id.rawValue, meteorite.name, meteorite.classification.rawValue,
        meteorite.massInGrams.map { "\($0)" } ?? "", meteorite.fall.rawValue,
        meteorite.nameType.rawValue, meteorite.year.map { "\($0.rawValue)" } ?? "",
        meteorite.coordinate.map { "\($0)" } ?? "",
      ]
      return cells.joined(separator: "|")
    }
  }

  // S44 of Docs/old-apps.md
  @Test(
    "CSV with marks, line ends, quotes, separators, and columns of any kind is read",
    arguments: filesOfCSV)
  func csv(name: String, text: String) throws {
    let rows = try Batch<Meteorite>(reading: Array(text.utf8))
    #expect(Self.lines(rows.records) == Self.expected, "\(name)")
    #expect(rows.failures.isEmpty, "\(name)")
    #expect(rows.records.allSatisfy { $0.unreadable.isEmpty }, "\(name)")
  }

  // S44 of Docs/old-apps.md
  @Test("CSV in Windows-1251 is reported as such, and CSV isn't a portal's response")
  func foreignCSV() async throws {
    // "Алексеевка", "Бахмут" and "Велико-Николаевский" in Windows-1251.
    let names: [[UInt8]] = [
      [0xC0, 0xEB, 0xE5, 0xEA, 0xF1, 0xE5, 0xE5, 0xE2, 0xEA, 0xE0],
      [0xC1, 0xE0, 0xF5, 0xEC, 0xF3, 0xF2],
      [0xC2, 0xE5, 0xEB, 0xE8, 0xEA, 0xEE],
    ]
    var bytes = Array("id,name,mass\n".utf8)
    for (number, name) in names.enumerated() {
      bytes += Array("\(number),".utf8) + name + Array(",1\n".utf8)
    }
    let foreign = bytes
    let refused = #expect(throws: FieldError.self) { _ = try Batch<Meteorite>(reading: foreign) }
    #expect(refused?.code == .encoding)
    #expect(refused?.message.contains("UTF-8") == true)
    let transport = StubTransport { $0.on("meteorites.page", respond: .text(Self.plainCSV)) }
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(try SmallSODA.client(transport)), storage: .inMemory)
    await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(try await catalog.count() == 0)
    #expect(try await catalog.lastRefresh == nil)
  }

  // S45 of Docs/old-apps.md
  @Test("rows.json is read with reordered columns, two columns named id, and rows of wrong lengths")
  func rowsJSON() async throws {
    let columns = [
      "{\"name\":\"reclong\",\"fieldName\":\"reclong\"}", "{\"name\":\"id\",\"fieldName\":\":id\"}",
      "{\"name\":\"Name\",\"fieldName\":\"name\"}",
      "{\"name\":\"id\",\"fieldName\":\"id\",\"cachedContents\":{\"non_null\":\"3\",\"null\":\"0\"}}",
      "{\"name\":\"year\",\"fieldName\":\"year\"}", "{\"name\":\"fall\",\"fieldName\":\"fall\"}",
      "{\"name\":\"mass\",\"fieldName\":\"mass\"}",
      "{\"name\":\"reclat\",\"fieldName\":\"reclat\"}",
      "{\"name\":\"States\",\"fieldName\":\":@computed_region_cbhk_fwbd\"}",
    ]
    let rows = [
      "[\"6.08333\",\"row-1\",\"Aachen\",\"1\",\"1880-01-01T00:00:00\",\"Fell\",\"21\",\"50.775\",null]",
      "[null,\"row-2\",\"Short\",\"2\"]",
      "[null,\"row-3\",\"Long\",\"3\",null,\"Found\",null,null,null,null]",
      "[null,\"row-4\",\"Bare\",\"4\",null,\"Found\",null,null,null]",
      "{\"id\":\"5\"}",
    ]
    let meta = "\"meta\":{\"view\":{\"columns\":[\(columns.joined(separator: ","))]}}"
    let data = "\"data\":[\(rows.joined(separator: ","))]"
    for text in ["{\(meta),\(data)}", "{\(data),\(meta)}"] {
      let read = try Batch<Meteorite>(reading: Array(text.utf8))
      #expect(
        Self.lines(read.records) == [
          "1|Aachen||21.0|Fell|Valid|1880|50.775, 6.08333", "4|Bare|||Found|Valid||",
        ])
      #expect(read.failures.map(\.index) == [1, 2, 4])
      #expect(read.failures.map(\.key) == ["2", "3", nil])
      #expect(read.facts.rowCount == 5)
      #expect(read.facts.announcedCount == 3)
    }
    // A portal that gives the file where rows were asked for.
    let transport = StubTransport {
      $0.on("meteorites.page", respond: .json(text: "{\(meta),\(data)}"))
    }
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(try SmallSODA.client(transport)), storage: .inMemory)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(error?.code == .notData)
    #expect(try await catalog.count() == 0)
  }

  // S46 of Docs/old-apps.md
  @Test("GeoJSON is read with null geometry, with and without the two numbers")
  func geoJSON() async throws {
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":null,"properties":{"id":"1","name":"Nowhere","mass":"21",\
      "geolocation_address":null,"geolocation_city":null}},
      {"type":"Feature","geometry":null,"properties":{"id":"2","name":"Known",\
      "reclat":"50.775","reclong":"6.08333"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[6.08333,50.775]},\
      "properties":{"id":"3","name":"Placed"}},
      {"type":"Feature","properties":{"id":"4","name":"Bare"}}
      ],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}}
      """
    let rows = try Batch<Meteorite>(reading: Array(text.utf8))
    #expect(
      Self.lines(rows.records) == [
        "1|Nowhere||21.0||Valid||", "2|Known||||Valid||50.775, 6.08333",
        "3|Placed||||Valid||50.775, 6.08333", "4|Bare||||Valid||",
      ])
    #expect(rows.records.map(\.positionIssue) == [.missing, nil, nil, .missing])
    #expect(rows.failures.isEmpty)
    // The same null where rows come page by page: in a cell of its own.
    let paged = try await SmallSODA.meteorites([
      "\"id\":\"1\",\"name\":\"Nowhere\",\"mass\":\"21\",\"geometry\":null"
    ])
    #expect(paged.meteorites == Array(rows.records.prefix(1)))
    let transport = StubTransport { $0.on("meteorites.page", respond: .json(text: text)) }
    let catalog = MeteoriteCatalog(
      source: SODAMeteorites(try SmallSODA.client(transport)), storage: .inMemory)
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh() }
    #expect(error?.code == .notData)
  }

  // S47 of Docs/old-apps.md
  @Test("CSV, then a portal's JSON, then CSV again change nothing")
  func csvAndJSON() async throws {
    let json = [
      #""name":"Aachen","id":"1","nametype":"Valid","recclass":"L5","mass":"21","fall":"Fell","#
        + #""year":"1880-01-01T00:00:00.000","reclat":"50.775000","reclong":"6.083330","#
        + #""geolocation":{"type":"Point","coordinates":[6.08333,50.775]}"#,
      #""name":"Österplana 009","id":"44852","nametype":"Relict","recclass":"Relict OC","#
        + #""fall":"Found","year":"1998-01-01T00:00:00.000","reclat":"58.583330","#
        + #""reclong":"13.433330",":@computed_region_cbhk_fwbd":"7""#,
      #""name":"A \"b\", c ","id":"7","nametype":"Valid","recclass":"Unknown","#
        + #""mass":"78.4","fall":"Found","year":"0861-01-01T00:00:00.000""#,
    ]
    let repository = InMemoryStore<Meteorite>()
    let file = MeteoriteCatalog(
      source: FixedSource(rows: [try Batch<Meteorite>(reading: Array(Self.plainCSV.utf8))]),
      repository: repository)
    let transport = SmallSODA.transport(
      "meteorites",
      [
        SmallSODA.body(
          json.enumerated().map { SmallSODA.row($0.offset, changed: $0.offset, $0.element) })
      ])
    let portal = MeteoriteCatalog(
      source: SODAMeteorites(try SmallSODA.client(transport), deletion: .bySnapshot),
      repository: repository)
    #expect(try await file.refresh(.now).added == 3)
    let before = Array(try await file.view().all)
    for catalog in [portal, file] {
      let report = try await catalog.refresh(.now)
      #expect((report.added, report.updated, report.removed) == (0, 0, 0))
      #expect(report.unchanged == 3)
      #expect(report.outcome == .unchanged)
    }
    #expect(Array(try await portal.view().all) == before)
  }
}
