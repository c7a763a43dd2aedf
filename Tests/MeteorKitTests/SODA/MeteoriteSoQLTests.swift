import FieldCore
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Queries for meteorites become SoQL", .heavy)
struct MeteoriteSoQLTests {
  @Test(
    "as narrow as is safe",
    arguments: [
      (MeteoriteQuery(), nil, MeteoriteQuery()),
      (
        MeteoriteQuery(fall: .fell, years: 2011...),
        "fall = 'Fell' AND year >= '2011-01-01T00:00:00.000'", MeteoriteQuery()
      ),
      (
        MeteoriteQuery(years: 2011...2013),
        "year >= '2011-01-01T00:00:00.000' AND year < '2014-01-01T00:00:00.000'", MeteoriteQuery()
      ),
      (
        MeteoriteQuery(years: 1600..<1700),
        "year >= '1600-01-01T00:00:00.000' AND year < '1700-01-01T00:00:00.000'", MeteoriteQuery()
      ),
      (
        MeteoriteQuery(years: 861...1491),
        "year >= '0860-01-01T00:00:00.000' AND year < '1493-01-01T00:00:00.000'",
        MeteoriteQuery(years: 861...1491)
      ),
      (
        MeteoriteQuery(years: -300 ... -1), "year < '0001-01-01T00:00:00.000'",
        MeteoriteQuery(years: -300 ... -1)
      ),
      (
        MeteoriteQuery(years: ValueRange<Int>(lower: .min, upper: .max)), "year IS NOT NULL",
        MeteoriteQuery(years: ValueRange<Int>(lower: .min, upper: .max))
      ),
      (
        MeteoriteQuery(years: 10_000...), "year >= '9999-01-01T00:00:00.000'",
        MeteoriteQuery(years: 10_000...)
      ),
      (MeteoriteQuery(years: ...9998), "year < '9999-01-01T00:00:00.000'", MeteoriteQuery()),
      (
        MeteoriteQuery(years: ...9999), "year IS NOT NULL", MeteoriteQuery(years: ...9999)
      ),
      (
        MeteoriteQuery(nameType: .valid), "nametype = 'Valid' OR nametype IS NULL", MeteoriteQuery()
      ),
      (MeteoriteQuery(nameType: .relict), "nametype = 'Relict'", MeteoriteQuery()),
      (MeteoriteQuery(fall: .unknown), nil, MeteoriteQuery(fall: .unknown)),
      (MeteoriteQuery(fall: .init(rawValue: "!")), "fall = '!'", MeteoriteQuery()),
      (
        MeteoriteQuery(fall: .init(rawValue: " !")), nil,
        MeteoriteQuery(fall: .init(rawValue: " !"))
      ),
      (
        MeteoriteQuery(fall: .init(rawValue: "! ")), nil,
        MeteoriteQuery(fall: .init(rawValue: "! "))
      ),
      (
        MeteoriteQuery(massInGrams: 78.4...78.4),
        "mass >= 78.39999999999999 AND mass <= 78.40000000000002",
        MeteoriteQuery(massInGrams: 78.4...78.4)
      ),
      (
        MeteoriteQuery(massInGrams: 0..<1000), "mass < 1000", MeteoriteQuery(massInGrams: 0..<1000)
      ),
      (
        MeteoriteQuery(massInGrams: ..<0), "1 = 0", MeteoriteQuery(massInGrams: ..<0)
      ),
      (
        MeteoriteQuery(massInGrams: ValueRange<Double>(lower: nil, upper: nil)), "mass IS NOT NULL",
        MeteoriteQuery(massInGrams: ValueRange<Double>(lower: nil, upper: nil))
      ),
      (
        MeteoriteQuery(classes: [" L6", "Iron?"]),
        "recclass IN ('Iron?', 'L6') OR starts_with(recclass, 'Iron? ') "
          + "OR starts_with(recclass, 'L6 ') OR starts_with(recclass, ' ') OR contains(recclass, '\t')",
        MeteoriteQuery(classes: [" L6", "Iron?"])
      ),
      (MeteoriteQuery(classes: []), "1 = 0", MeteoriteQuery(classes: [])),
      (MeteoriteQuery(classes: [""]), nil, MeteoriteQuery(classes: [""])),
      (
        MeteoriteQuery(groups: [.iron]),
        "starts_with(upper(recclass), 'IRON') OR starts_with(recclass, 'Relict ') "
          + "OR starts_with(recclass, ' ')", MeteoriteQuery(groups: [.iron])
      ),
      (
        MeteoriteQuery(groups: [.ordinaryChondrite]),
        "starts_with(upper(recclass), 'H') AND NOT (starts_with(upper(recclass), 'HOWARDITE')) "
          + "OR starts_with(upper(recclass), 'L') AND NOT (starts_with(upper(recclass), 'LODRANITE')) "
          + "AND NOT (starts_with(upper(recclass), 'LUNAR')) OR starts_with(upper(recclass), 'OC') "
          + "OR starts_with(recclass, 'Relict ') OR starts_with(recclass, ' ')",
        MeteoriteQuery(groups: [.ordinaryChondrite])
      ),
      (
        MeteoriteQuery(groups: [.fusionCrust]), "contains(recclass, 'usion crust')",
        MeteoriteQuery(groups: [.fusionCrust])
      ),
      (
        MeteoriteQuery(groups: [.unknown, .iron]), nil, MeteoriteQuery(groups: [.unknown, .iron])
      ),
      (MeteoriteQuery(groups: []), "1 = 0", MeteoriteQuery(groups: [])),
      (MeteoriteQuery(text: "Österplana"), nil, MeteoriteQuery(text: "Österplana")),
      (
        MeteoriteQuery(plausibleOnly: true), "geolocation IS NOT NULL",
        MeteoriteQuery(plausibleOnly: true)
      ),
      (
        MeteoriteQuery(fall: .found, order: .massDescending, limit: 5, offset: 2), "fall = 'Found'",
        MeteoriteQuery(order: .massDescending, limit: 5, offset: 2)
      ),
      (MeteoriteQuery(limit: 0), "1 = 0", MeteoriteQuery(limit: 0)),
    ] as [(MeteoriteQuery, String?, MeteoriteQuery)])
  func conditions(query: MeteoriteQuery, condition: String?, remainder: MeteoriteQuery) {
    let compiled = query.soql()
    #expect(compiled.query.where?.description == condition)
    #expect(compiled.remainder == remainder)
    #expect(compiled.isExact == (remainder == MeteoriteQuery()))
    #expect(compiled.query == SoQL.Query(where: compiled.query.where))
  }

  @Test("with places as boxes of a flat map")
  func places() throws {
    func condition(_ query: MeteoriteQuery) -> String? { query.soql().query.where?.description }
    let box = try GeoBox(south: 47, west: 16, north: 49, east: 18)
    #expect(
      condition(MeteoriteQuery(box: box, plausibleOnly: true))
        == "within_box(geolocation, 49.00002, 15.99998, 46.99998, 18.00002)")
    let fiji = try GeoBox(south: -21, west: 176, north: -12, east: -178)
    #expect(
      condition(MeteoriteQuery(box: fiji, plausibleOnly: true))
        == "within_box(geolocation, -11.99998, -180, -21.00002, -177.99998) "
        + "OR within_box(geolocation, -11.99998, 175.99998, -21.00002, 180)")
    #expect(condition(MeteoriteQuery(box: .world)) == "geolocation IS NOT NULL")
    #expect(!MeteoriteQuery(box: .world).soql().isExact)

    let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
    let near = MeteoriteQuery.Circle(center: bratislava, radius: .kilometers(50))
    #expect(
      condition(MeteoriteQuery(circle: near, plausibleOnly: true))
        == "within_circle(geolocation, 48.15, 17.11, 51600)")
    let far = MeteoriteQuery.Circle(center: bratislava, radius: .kilometers(500))
    #expect(
      condition(MeteoriteQuery(circle: far))?.hasPrefix("within_box(geolocation, 52.") == true)
    let wide = MeteoriteQuery.Circle(center: bratislava, radius: .kilometers(21_000))
    #expect(condition(MeteoriteQuery(circle: wide)) == "geolocation IS NOT NULL")
    for (meters, start) in [
      (0, "within_circle(geolocation, 48.15, 17.11, 100)"), (100_000, "within_circle("),
      (100_001, "within_box("), (16_000_000, "geolocation IS NOT NULL"),
    ] {
      let circle = MeteoriteQuery.Circle(center: bratislava, radius: .meters(Double(meters)))
      let text = condition(MeteoriteQuery(circle: circle))
      #expect(text?.hasPrefix(start) == true, "\(meters): \(text ?? "")")
    }
    let none = MeteoriteQuery.Circle(center: bratislava, radius: .meters(-1))
    #expect(condition(MeteoriteQuery(circle: none)) == "1 = 0")

    let columns = MeteoriteColumns(fall: "how", position: nil)
    let compiled = MeteoriteQuery(fall: .fell, box: box, plausibleOnly: true).soql(columns: columns)
    #expect(compiled.query.where?.description == "how = 'Fell'")
    #expect(compiled.remainder == MeteoriteQuery(box: box, plausibleOnly: true))
  }

  @Test("exactness is reported, separately for conditions and for order and pages")
  func exactness() {
    #expect(MeteoriteQuery(fall: .fell, years: 2011...).soql().isExact)
    let ordered = MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending, limit: 3)
    #expect(!ordered.soql().isExact)
    #expect(ordered.soql().isFilterExact)
    #expect(!MeteoriteQuery(massInGrams: 1...).soql().isFilterExact)
    #expect(
      [-1, 0, 1].map { MeteoriteQuery(limit: $0).soql().isFilterExact } == [false, false, true])
  }

  @Test("lists up to 64 classes", arguments: [63, 64, 65])
  func manyClasses(count: Int) {
    let query = MeteoriteQuery(classes: Set((0..<count).map { .init(rawValue: "L\($0)") }))
    #expect((query.soql().query.where == nil) == (count > 64))
    #expect(query.soql().remainder == query)
  }

  // MARK: Superset and remainder

  /// The portal's rows and the remainder against the whole query on a store with all rows.
  private func check(
    _ query: MeteoriteQuery, _ rows: [PortalRow], _ meteorites: [Meteorite], _ view: MeteoriteView,
    _ comment: String
  ) throws -> (asked: Int, found: Int) {
    let compiled = query.soql()
    let answer = try zip(rows, meteorites).filter { row, _ in
      try compiled.query.where.map { try row.truth($0) == true } ?? true
    }.map(\.1)
    let whole = view.find(query)
    let found = compiled.remainder.find(in: answer)
    #expect(found.map(\.id) == whole.map(\.id), "\(comment): \(query) as \(compiled.query)")
    #expect(query.find(in: meteorites).map(\.id) == whole.map(\.id), "\(comment): \(query)")
    if compiled.isFilterExact {
      #expect(answer.count == view.count(query), "\(comment): \(query) as \(compiled.query)")
    }
    return (answer.count, whole.count)
  }

  private func view(_ meteorites: [Meteorite]) async throws -> MeteoriteView {
    let store = InMemoryStore<Meteorite>()
    try await store.commit(Changes(upserting: meteorites), checkpoint: nil, expecting: nil)
    let catalog = MeteoriteCatalog(
      source: FixedSource(rows: [Batch(records: [])]),
      repository: store)
    return try await catalog.view()
  }

  @Test(
    "the portal's rows and the remainder match the results of a store",
    arguments: Sample.of(1...4 as ClosedRange<UInt64>, 1))
  func synthetic(seed: UInt64) async throws {
    var maker = MeteoriteQueryMaker(generator: SeededGenerator(seed: seed))
    let rows = try (1...300).map { try maker.row(id: $0) }
    let meteorites = try PortalRow.meteorites(rows)
    try #require(meteorites.count == rows.count)
    maker.meteorites = meteorites
    let view = try await view(meteorites)
    var (asked, found, pushed) = (0, 0, 0)
    let count = Sample.rounds(150, 150, inDebug: 50)
    for number in 0..<count {
      let query = try maker.query()
      let counts = try check(query, rows, meteorites, view, "seed \(seed), query \(number)")
      asked += counts.asked
      found += counts.found > 0 ? 1 : 0
      pushed += query.soql().query.where == nil ? 0 : 1
    }
    // A test of empty answers, or of queries that ask for everything, would tell nothing.
    #expect(found > count / 5, "seed \(seed)")
    #expect(pushed > count / 2, "seed \(seed)")
    #expect(asked < count * 300, "seed \(seed)")
  }

  @Test(
    "no place in a circle is lost, up to its edge",
    arguments: Sample.of([21, 22] as [UInt64], 1))
  func circles(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func place(_ limit: Double) throws -> Coordinate {
      try Coordinate(
        latitude: .random(in: -limit...limit, using: &generator),
        longitude: .random(in: -180...180, using: &generator))
    }
    var (asked, edges) = (0, 0)
    for _ in 0..<600 {
      let center = try place([60, 90][Int.random(in: 0...1, using: &generator)])
      let meters = Double.random(in: 2...7, using: &generator)
      let circle = MeteoriteQuery.Circle(
        center: center, radius: .meters(min(pow(10, meters), 20_000_000)))
      let query = MeteoriteQuery(circle: circle).soql().query
      let condition = try #require(query.where)
      // From the middle towards some place, to the last one within.
      let target = try place(90)
      var (inside, outside) = (0.0, 1.0)
      for _ in 0..<50 {
        let middle = (inside + outside) / 2
        let between = try Self.place(from: center, to: target, at: middle)
        if between.distance(to: center) <= circle.radius {
          inside = middle
        } else {
          outside = middle
        }
      }
      for share in [inside, inside / 2] {
        let found = try Self.place(from: center, to: target, at: share)
        let row = try PortalRow([
          "id": "1", "reclat": "\(found.latitude)", "reclong": "\(found.longitude)",
        ])
        #expect(
          try row.truth(condition) == true, "seed \(seed): \(found) of \(circle) as \(condition)")
      }
      edges += inside < 0.999 ? 1 : 0
      let apart = try place(90)
      let row = try PortalRow([
        "id": "2", "reclat": "\(apart.latitude)", "reclong": "\(apart.longitude)",
      ])
      asked += try row.truth(condition) == true ? 1 : 0
    }
    #expect(edges > 300)
    #expect(asked < 400)
  }

  private static func place(
    from start: Coordinate, to end: Coordinate, at share: Double
  ) throws -> Coordinate {
    try Coordinate(
      latitude: start.latitude + (end.latitude - start.latitude) * share,
      longitude: start.longitude + (end.longitude - start.longitude) * share)
  }

  @Test(
    "and match on the real rows", .enabled(if: SharedData.isThere, "the captures are not here"),
    arguments: Sample.of([11, 12] as [UInt64], 1))
  func real(seed: UInt64) async throws {
    let bytes = Sample.lines(
      of: try SharedData.bytes("meteor/derived/full_soda_point_with_system_fields.ndjson.gz"), 4_000
    )
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    try #require(lines.count == Sample.rounds(45_716, 4_000))
    // Every twelfth row, and all with something odd: relicts, blanks, old years, places on Mars.
    let rows = try lines.enumerated().compactMap { position, line -> PortalRow? in
      let text = String(decoding: line, as: UTF8.self)
      let isOdd =
        text.contains("Relict") || text.contains(#" ","mass"#) || text.contains("354.4")
        || text.contains(#""year":"0"#) || text.contains(#""year":"14"#)
        || text.contains(#""year":"15"#)
      return isOdd || position % 12 == Int(seed % 12) ? try PortalRow(json: text) : nil
    }
    let meteorites = try PortalRow.meteorites(rows)
    try #require(meteorites.count == rows.count)
    let view = try await view(meteorites)
    var maker = MeteoriteQueryMaker(generator: SeededGenerator(seed: seed))
    maker.meteorites = meteorites
    var found = 0
    for number in 0..<25 {
      let counts = try check(
        try maker.query(), rows, meteorites, view, "seed \(seed), query \(number)")
      found += counts.found > 0 ? 1 : 0
    }
    #expect(found > 4, "seed \(seed)")
  }

  @Test(
    "each group of the real classes is requested without losing one",
    .enabled(if: SharedData.isThere, "the captures are not here"))
  func realClasses() throws {
    let classes = Set(try CaptureTests.all.get().records.map(\.classification))
    try #require(classes.count == 466)
    let rows = try classes.sorted { $0.rawValue < $1.rawValue }.map { item in
      (item, try PortalRow(["id": "1", "recclass": item.rawValue]))
    }
    for group in Meteorite.ClassGroup.all where group != .unknown {
      let condition = try #require(MeteoriteQuery(groups: [group]).soql().query.where)
      let asked = try rows.filter { try $0.1.truth(condition) == true }
      let wanted = rows.filter { $0.0.group == group }
      #expect(wanted.allSatisfy { row in asked.contains { $0.0 == row.0 } }, "\(group)")
      // Relicts and fusion crusts aside the portal gives classes of the group only.
      let others = asked.filter {
        ![group, .fusionCrust].contains($0.0.group) && !$0.0.rawValue.hasPrefix("Relict ")
      }
      #expect(others.isEmpty, "\(group): \(others.map(\.0))")
    }
    let all = MeteoriteQuery(groups: Set(Meteorite.ClassGroup.all).subtracting([.unknown]))
    #expect(all.soql().query.queryText.utf8.count < 4000)
  }

  @Test("classes are sorted by these words")
  func words() {
    let words: [Meteorite.ClassGroup: String] = [
      .ordinaryChondrite: "H L LL OC", .enstatiteChondrite: "E EH EL", .rumurutiChondrite: "R",
      .kakangariChondrite: "K", .carbonaceousChondrite: "C CB CBa CBb CH CI CK CM CO CR CV",
      .otherChondrite: "Chondrite Impact", .iron: "Iron", .stonyIron: "Pallasite Mesosiderite",
      .achondrite: """
      Acapulcoite Achondrite Angrite Aubrite Brachinite Diogenite Enst Eucrite Howardite Lodranite \
      Lunar Martian Ureilite Winonaite
      """,
    ]
    for group in Meteorite.ClassGroup.all {
      let expected = words[group]?.split(separator: " ") ?? []
      #expect(group.words == expected.map { $0.uppercased() })
      for word in expected {
        #expect(Meteorite.Classification(rawValue: String(word)).group == group, "\(word)")
      }
    }
  }

  @Test(
    "Talula's selection of the real rows",
    .enabled(if: SharedData.isThere, "the captures are not here"))
  func talula() throws {
    let query = MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending)
    let found = query.find(in: try CaptureTests.all.get().records)
    #expect(
      found.map { "\($0.name) \($0.massInGrams ?? 0)" } == [
        "Chelyabinsk 100000.0", "Thika 14200.0", "Tissint 7000.0", "Boumdeid (2011) 3599.0",
        "Battle Mountain 2900.0", "Sołtmany 1066.0", "Sutter's Mill 992.5",
      ])
  }
}
