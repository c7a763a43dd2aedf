import Foundation
import FieldPortals
import Testing

@Suite("SoQL is printed")
struct SoQLPrintingTests {
  static let mass = SoQL.column("mass")
  static let fall = SoQL.column("fall")
  static let year = SoQL.column("year")
  static let place = SoQL.column("geolocation")

  @Test(
    "conditions as the parser reads them",
    arguments: [
      (mass >= 1000 && fall == "Fell", "mass >= 1000 AND fall = 'Fell'"),
      (mass < 0.01 || mass > 1e20, "mass < 0.01 OR mass > 1e+20"),
      (
        (mass == 1 || mass == 2) && !(fall == "Fell"),
        "(mass = 1 OR mass = 2) AND NOT (fall = 'Fell')"
      ),
      (mass == 1 || mass == 2 && fall != "Fell", "mass = 1 OR mass = 2 AND fall != 'Fell'"),
      (mass.between(1, and: 2.5), "mass BETWEEN 1 AND 2.5"),
      (mass.notBetween(-1, and: 2), "mass NOT BETWEEN -1 AND 2"),
      (fall.isIn(["Fell", "Found"]), "fall IN ('Fell', 'Found')"),
      (fall.isNotIn(["Fell"]), "fall NOT IN ('Fell')"),
      (fall.isIn([]), "1 = 0"),
      (fall.isNotIn([]), "1 = 1"),
      (mass > 1 && fall.isIn([]), "1 = 0"),
      (mass.isNull || year.isNotNull, "mass IS NULL OR year IS NOT NULL"),
      (!mass.isNull, "NOT (mass IS NULL)"),
      (fall.starts(with: "F"), "starts_with(fall, 'F')"),
      (fall.uppercased.contains("EL"), "contains(upper(fall), 'EL')"),
      (fall.like("%ll") && fall.notLike("_x"), "fall LIKE '%ll' AND fall NOT LIKE '_x'"),
      (mass + 1 > mass * 2 - 3, "mass + 1 > mass * 2 - 3"),
      ((mass + 1) * 2 == (mass - (mass - 1)), "(mass + 1) * 2 = mass - (mass - 1)"),
      (mass - -1 == -mass, "mass - (-1) = -mass"),
      (.isTrue(SoQL.column("valid")), "valid"),
      (.always, "1 = 1"),
      (fall == "L'Aigle", "fall = 'L''Aigle'"),
      (SoQL.column(.updatedAt) > .fixedTimestamp(verbatim: "x"), ":updated_at > 'x'"),
      (
        SoQL.column(.updatedAt) > .fixedTimestamp(Date(timeIntervalSince1970: 1_446_143_734)),
        ":updated_at > '2015-10-29T18:35:34.000Z'"
      ),
      (SoQL.column("order") == true, "`order` = true"),
    ])
  func conditions(condition: SoQL.Condition, text: String) {
    #expect(condition.description == text)
  }

  // MARK: Expressions

  @Test(
    "expressions",
    arguments: [
      (.count, "count(*)"), (mass.sum / 1000, "sum(mass) / 1000"), (mass.average, "avg(mass)"),
      (mass.median, "median(mass)"), (mass.minimum, "min(mass)"), (mass.maximum, "max(mass)"),
      (mass.count, "count(mass)"), (mass.standardDeviation, "stddev_pop(mass)"),
      (year.truncatedToYear, "date_trunc_y(year)"), (year.truncatedToMonth, "date_trunc_ym(year)"),
      (year.truncatedToDay, "date_trunc_ymd(year)"), (year.year, "date_extract_y(year)"),
      (fall.unaccented.lowercased, "lower(unaccent(fall))"),
      (fall.followed(by: .value("!")), "fall || '!'"),
      (mass.raised(to: .value(2)).raised(to: .value(3)), "(mass ^ 2) ^ 3"),
      (mass.raised(to: SoQL.value(2).raised(to: .value(-3))), "mass ^ 2 ^ (-3)"),
      (mass % 10 - mass / 10, "mass % 10 - mass / 10"), (-(-mass), "-(-mass)"),
      (
        .call("case", .condition(mass > 1 || mass < 0), .value("a"), .value(true), .value(.null)),
        "case(mass > 1 OR mass < 0, 'a', true, null)"
      ),
      (SoQL.column("my-column") + SoQL.column(.version), "`my-column` + :version"),
    ] as [(SoQL.Expression, String)])
  func expressions(expression: SoQL.Expression, text: String) {
    #expect(expression.description == text)
  }

  @Test("places, with latitude first in functions and longitude first in geometries")
  func places() throws {
    let here = try Coordinate(latitude: 48.15, longitude: 17.11)
    #expect(
      "\(Self.place.isWithin(.kilometers(2.5), of: here))"
        == "within_circle(geolocation, 48.15, 17.11, 2500)")
    #expect("\(Self.place.isWithin(.meters(.nan), of: here))" == "1 = 0")
    #expect("\(Self.place.isWithin(.meters(.infinity), of: here))" == "geolocation IS NOT NULL")
    #expect("\(Self.place.isWithin(.meters(-.infinity), of: here))" == "1 = 0")
    #expect(
      "\(Self.place.isWithin(try GeoBox(south: 47, west: 16, north: 49.5, east: 18)))"
        == "within_box(geolocation, 49.5, 16, 47, 18)")
    #expect(
      "\(Self.place.isWithin(try GeoBox(south: -21, west: 176, north: -12, east: -178)))"
        == "within_box(geolocation, -12, 176, -21, 180) OR within_box(geolocation, -12, -180, -21, -178)"
    )
    let ring = [
      here, try Coordinate(latitude: 49, longitude: 17),
      try Coordinate(latitude: 48, longitude: 354),
    ]
    let polygon = "'MULTIPOLYGON (((17.11 48.15, 17 49, -6 48, 17.11 48.15)))'"
    #expect(
      "\(Self.place.isWithin(polygon: try .polygon(ring)))"
        == "within_polygon(geolocation, \(polygon))")
    #expect(try SoQL.Value.polygon(ring + [here]).description == polygon)
    for (corners, count) in [([], 0), ([here], 1), ([here, here], 1), ([ring[0], ring[1]], 2)]
      as [([Coordinate], Int)]
    {
      let error = #expect(throws: FieldError.self) { try SoQL.Value.polygon(corners) }
      #expect(error?.message.hasSuffix("this one has \(count).") == true)
    }
    #expect(
      "\(Self.place.distanceInMeters(to: here))"
        == "distance_in_meters(geolocation, 'POINT (17.11 48.15)')")
    #expect(
      "\(SoQL.Value.floatingTimestamp(try CalendarDay("1880-01-01")))"
        == "'1880-01-01T00:00:00.000'")
  }

  // MARK: Queries

  @Test("the example of the documentation")
  func example() {
    let mass = SoQL.column("mass")
    let query = SoQL.Query(
      select: ["id", "name", "mass"],
      where: mass >= 1000 && SoQL.column("fall") == "Fell",
      order: [mass.descending], limit: 10)
    #expect(
      query.parameters().map(\.value)
        == ["id, name, mass", "mass >= 1000 AND fall = 'Fell'", "mass DESC", "10"])
    #expect(
      query.statement
        == "SELECT id, name, mass WHERE mass >= 1000 AND fall = 'Fell' ORDER BY mass DESC LIMIT 10")
    let named = SoQL.Query(
      select: [(mass.sum / 1000).named("kilograms"), "recclass"], group: [SoQL.column("recclass")])
    #expect(
      named.statement == "SELECT sum(mass) / 1000 AS kilograms, recclass GROUP BY recclass")
  }

  static let whole = SoQL.Query(
    select: ["recclass", .count(named: "n"), .allColumns, .systemColumns, .allColumns],
    where: mass > 0 || fall == "Fell", group: [SoQL.column("recclass")],
    having: SoQL.Expression.count > 10,
    order: [SoQL.column("n").descending.nullsLast, "recclass", mass.ascending.nullsFirst],
    limit: 20, offset: 40, search: "iron 'n' stone",
    filters: [
      .init("nametype", equals: "Valid"), .init("mass", equals: 21),
      .init("nametype", equals: "B"), .init("year", equals: .null), .init("order", equals: "C"),
      .init("name", equals: ""), .init("queryTimeoutSeconds", equals: 1),
      .init(.id, equals: "row-1"),
    ])

  @Test("queries as parameters, in one order")
  func parameters() {
    let parameters = Self.whole.parameters().map { "\($0.name)=\($0.value)" }
    #expect(
      parameters == [
        "$select=:*, *, recclass, count(*) AS n",
        "$where=(mass > 0 OR fall = 'Fell') AND nametype = 'B' AND year IS NULL AND `order` = 'C' "
          + "AND name = '' AND queryTimeoutSeconds = 1",
        "$group=recclass", "$having=count(*) > 10",
        "$order=n DESC NULL LAST, recclass, mass NULL FIRST", "$limit=20", "$offset=40",
        "$q=iron 'n' stone", "nametype=Valid", "mass=21", ":id=row-1",
      ])
    #expect(SoQL.Query().parameters().isEmpty)
    #expect(SoQL.Query().queryText == "")
    #expect(SoQL.Query(limit: 0).queryText == "%24limit=0")
    #expect(SoQL.Query(limit: -1, offset: -1).queryText == "%24limit=0")
  }

  @Test("queries as one statement, in the order of the parser")
  func statement() {
    #expect(
      Self.whole.statement == """
        SELECT :*, *, recclass, count(*) AS n WHERE (mass > 0 OR fall = 'Fell') \
        AND nametype = 'Valid' AND mass = 21 AND nametype = 'B' AND year IS NULL AND `order` = 'C' \
        AND name = '' AND queryTimeoutSeconds = 1 AND :id = 'row-1' \
        GROUP BY recclass HAVING count(*) > 10 \
        ORDER BY n DESC NULL LAST, recclass, mass NULL FIRST \
        SEARCH 'iron ''n'' stone' LIMIT 20 OFFSET 40
        """)
    #expect(SoQL.Query().statement == "SELECT *")
    #expect(SoQL.Query(limit: 0).description == "SELECT * LIMIT 0")
  }

  @Test("URLs, byte for byte")
  func address() {
    let query = SoQL.Query(
      select: ["name"],
      where: SoQL.column("name") == "A&B+C; L'Aigle = 50%"
        && SoQL.column(.updatedAt) > .fixedTimestamp(verbatim: "2020-01-01T00:00:00+01:00"),
      filters: [.init("name", equals: "Sołtmany #1")])
    #expect(
      query.queryText == """
        %24select=name&%24where=name%20%3D%20%27A%26B%2BC%3B%20L%27%27Aigle%20%3D%2050%25%27\
        %20AND%20%3Aupdated_at%20%3E%20%272020-01-01T00%3A00%3A00%2B01%3A00%27\
        &name=So%C5%82tmany%20%231
        """)
  }

  @Test("Talula's three requests, encoded and without a token")
  func talula() {
    var full = SoQL.Query(
      select: ["id", "reclat", "reclong", "recclass", "mass", "year", "name"],
      where: Self.year >= .floatingTimestamp(verbatim: "2011-01-01T00:00:00.000"),
      filters: [.init("fall", equals: "Fell")])
    let select = "%24select=id%2C%20reclat%2C%20reclong%2C%20recclass%2C%20mass%2C%20year%2C%20name"
    let year = "year%20%3E%3D%20%272011-01-01T00%3A00%3A00.000%27"
    #expect(full.queryText == "\(select)&%24where=\(year)&fall=Fell")

    // Incremental: the server's own text of the last change it told of, not the device's clock.
    full = full.narrowed(
      to: SoQL.column(.updatedAt) > .fixedTimestamp(verbatim: "2020-02-13T10:00:00.000Z"))
    #expect(
      full.queryText == """
        \(select)&%24where=\(year)%20AND%20%3Aupdated_at%20%3E%20\
        %272020-02-13T10%3A00%3A00.000Z%27&fall=Fell
        """)
    #expect(SoQL.Query(select: ["id"]).queryText == "%24select=id")
    #expect(
      full.statement == """
        SELECT id, reclat, reclong, recclass, mass, year, name \
        WHERE year >= '2011-01-01T00:00:00.000' AND :updated_at > '2020-02-13T10:00:00.000Z' \
        AND fall = 'Fell'
        """)
  }

  @Test("long conditions compile quickly, and equal values compare equal")
  func typing() throws {
    // Sixteen comparisons with literals of four types: CI would run into its limit if this were slow.
    let condition =
      Self.mass >= 1000 && Self.fall == "Fell" && Self.year != "x" && Self.mass < 2.5
      && Self.mass * 2 > 10 && Self.fall != "Found" && Self.mass + 1 <= 5.5 && Self.fall == true
      || Self.mass >= 1 && Self.fall == "Fell" && Self.year != "y" && Self.mass < 2.5
        && Self.mass / 2 > 10 && !(Self.fall != "Found") && Self.mass - 1 <= 5 && Self.fall == false
    #expect(try SoQLLexer.tokens(condition.description).count == 74)
    #expect(Set([Self.whole, Self.whole, SoQL.Query()]).count == 2)
    let isEqual: Bool = Self.mass == SoQL.column("mass")
    #expect(isEqual)
    let condition2: SoQL.Condition = Self.mass == Self.fall
    #expect("\(condition2)" == "mass = fall")
  }

  @Test("equal queries are printed identically, so texts are compared by their bytes")
  func equality() {
    let (composed, decomposed) = ("Öster", "O\u{308}ster")
    #expect(composed == decomposed)
    #expect(SoQL.Value.text(composed) != .text(decomposed))
    #expect(SoQL.Query(search: composed) != SoQL.Query(search: decomposed))
    #expect(SoQL.Value.text("POINT (1 2)") != .geometry("POINT (1 2)"))
    #expect(
      Set<SoQL.Value>([.text(composed), .text(decomposed), "\(composed)", 1, "1"]).count == 4)
    var query = SoQL.Query(search: "iron")
    #expect(query.search == "iron")
    query.search = nil
    #expect(query == SoQL.Query())
    #expect(SoQL.Query().narrowed(to: Self.mass > 1).where?.description == "mass > 1")
  }
}
