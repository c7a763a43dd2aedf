import FieldCore
import FieldPortals
import Foundation
import TestSupport
import Testing

@Suite("The portals' models")
struct PortalModelJSONTests {
  private static func query() throws -> SoQL.Query {
    let (mass, name) = (SoQL.column("mass"), SoQL.column("name"))
    let date = Date(timeIntervalSince1970: 1_767_225_600)
    let place = try Coordinate(latitude: 48.15, longitude: 17.11)
    return SoQL.Query(
      select: [
        "name", .allColumns, .systemColumns, (mass.sum / 1000).named("kilograms"),
        SoQL.Selection(.condition(mass.isNull)), .count(named: "n"),
      ],
      where: .all([
        mass >= 1000.5 && (SoQL.column("fall") == "Fell" || !name.starts(with: "Northwest")),
        mass.between(1, and: 2), name.isIn(["a", "it's"]), name.like("A%"), name != .null,
        SoQL.column(":updated_at") > .fixedTimestamp(date),
        SoQL.column("geolocation").isWithin(.meters(10), of: place), .isTrue(SoQL.column("ok")),
        SoQL.column("year") < .floatingTimestamp(try CalendarDay("2026-01-01")),
        SoQL.column("at") == .point(place), .isTrue(.value(true)),
        -mass == 1 || mass.raised(to: mass) < 2,
      ]),
      group: [SoQL.column("recclass")], having: SoQL.Condition.never,
      order: [mass.descending.nullsLast, "name"], limit: 10, offset: 5, search: "iron",
      filters: [SoQL.Filter("fall", equals: "Fell")])
  }

  @Test("have JSON that other programs can read")
  func models() throws {
    let table = OpenDataTable(
      resource: "00000000-1111-2222-3333-444444444444", columns: ["_id", "名稱"],
      rows: [OpenDataRow(columns: ["_id", "名稱"], values: ["1", nil])])
    try Golden("portals-models").expectModels([
      "dataset": TaipeiDataset.zooAnimals, "patience": SODAPatience(), "query": try Self.query(),
      "table": table,
    ])
  }

  @Test("A query decoded from JSON sends the same request")
  func query() throws {
    let query = try Self.query()
    let copy = try JSONDecoder().decode(SoQL.Query.self, from: Golden.json(query))
    #expect(copy.statement == query.statement && copy.queryText == query.queryText)
    #expect(copy.search == "iron")
  }

  @Test(
    "A query with invalid content is rejected",
    arguments: [
      #"{"value":{"literal":{"number":{"value":"1 OR 1=1"}}}}"#,
      #"{"column":{"name":"a; DROP"}}"#, #"{"call":{"function":"f(","arguments":[]}}"#,
    ])
  func injection(json: String) {
    #expect(throws: FieldError.self) {
      try JSONDecoder().decode(SoQL.Expression.self, from: Data(json.utf8))
    }
  }
}
