@testable import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
import Foundation
import Testing

/// What holds of the values in rows, in the form in which each family of sources sends them.
@Suite("Sync scenarios: forms of values")
struct SyncFormScenarioTests {
  /// A record with a value of each kind.
  struct Form: CatalogRecord, Hashable {
    let id: String
    var number: Double?
    var day: CalendarDay?
    var coordinate: Coordinate?

    enum CodingKeys: String, CodingKey { case id, number, day, coordinate = "spot" }
  }

  private static let columns: [FakeSODAServer.Column] = [
    "id", .init("number", .number), .init("day", .fixedTimestamp), .init("spot", .point),
  ]

  /// Returns what a family's source makes of rows.
  private func read(
    _ rows: [FakeSODAServer.Row], from family: ScenarioFamily
  ) async throws -> [String: Form] {
    let rows = rows.enumerated().map { number, row in
      row.merging([
        "id": family == .numberedOpenDataSoft ? .number(number) : .text("\(number)")
      ]) { $1 }
    }
    let source = try source(rows, family)
    let catalog = Catalog(
      "forms", sources: [source], storage: .inMemory, snapshotGuard: ScenarioBench.anyRemoval)
    let report = try await catalog.refresh()
    #expect(report.rows == rows.count)
    #expect(report.failureCount == 0, "\(report.failures)")
    return Dictionary(uniqueKeysWithValues: try await catalog.view().all.map { ($0.id, $0) })
  }

  private func source(
    _ rows: [FakeSODAServer.Row], _ family: ScenarioFamily
  ) throws -> any RecordSource<Form> {
    let names = Self.columns.map(\.name)
    let root = URL(literal: "https://portal.example")
    switch family {
    case .socrata:
      let server = FakeSODAServer(
        dataset: "gh4g-9sfh", columns: Self.columns, key: "id", rows: rows)
      return PortalRows(
        socrata: try SODADataset("gh4g-9sfh", at: "portal.example"), transport: server,
        clock: ImmediateClock())
    case .taipei:
      let texts: [KeyValuePairs<String, String>] = rows.map { row in
        [
          "id": Self.text(row["id"]), "number": Self.text(row["number"]),
          "day": Self.text(row["day"]), "spot": Self.text(row["spot"]),
        ]
      }
      let portal = FakeTaipeiOpenData(datasets: [
        FakeTaipeiOpenData.Dataset(ScenarioPortal.resource, rows: texts)
      ])
      let resource = TaipeiDataset.Resource(rawValue: ScenarioPortal.resource)
      return PortalRows(
        taipei: TaipeiDataset(id: "forms", name: "forms", resources: [resource]),
        on: TaipeiOpenData(transport: portal))
    case .file:
      let file = PlainFile(header: names.joined(separator: ","))
      file.publish(
        rows.map { row in names.map { "\"\(Self.text(row[$0]))\"" }.joined(separator: ",") })
      return Download(root.appending(path: "forms.csv"), transport: file)
    default:
      var columns = Self.columns
      if family == .numberedOpenDataSoft { columns[0] = .init("id", .number) }
      var options = FakePortal.Options()
      options.isOrdered = family != .oldArcGIS
      options.hasRanges = family == .newCKAN
      let portal = FakePortal(family.dialect, columns: columns, rows: rows, options: options)
      switch family.dialect {
      case .arcGIS:
        return PortalRows(arcGIS: portal.url, transport: portal, clock: ImmediateClock())
      case .ckan:
        return PortalRows(
          ckan: "rows-1", at: root, transport: portal, clock: ImmediateClock())
      case .openDataSoft:
        return PortalRows(
          openDataSoft: "rows", at: root, transport: portal, clock: ImmediateClock())
      }
    }
  }

  /// The text of a cell where all cells are texts.
  private static func text(_ cell: FakeSODAServer.Cell?) -> String {
    switch cell {
    case .text(let text), .number(let text), .timestamp(let text): text
    case .json(let text): text.filter { $0 != "\"" }
    case .point(let longitude, let latitude): "POINT (\(longitude) \(latitude))"
    default: ""
    }
  }

  // S41 and S46 of Docs/old-apps.md
  @Test(
    "A location is read in the form of every family, and a missing one is nil",
    arguments: ScenarioFamily.allCases)
  func locations(_ family: ScenarioFamily) async throws {
    let forms = try await read(
      [
        ["spot": .point(longitude: 14.25, latitude: 50.5)], ["spot": .null, "number": 1],
        ["spot": .point(longitude: -70.75, latitude: -33.5)],
      ], from: family)
    #expect(forms["0"]?.coordinate == (try Coordinate(latitude: 50.5, longitude: 14.25)))
    #expect(forms["1"]?.coordinate == nil)
    #expect(forms["2"]?.coordinate == (try Coordinate(latitude: -33.5, longitude: -70.75)))
  }

  // S42 of Docs/old-apps.md
  @Test(
    "A number of every family is read as a number or a text, and an empty one or NaN is nil",
    arguments: ScenarioFamily.allCases)
  func numbers(_ family: ScenarioFamily) async throws {
    let forms = try await read(
      [
        ["number": .number("21")], ["number": .json("\" 7.25 \"")], ["number": .json("\"1e3\"")],
        ["number": .json("\"-0.5\"")], ["number": .null], ["number": .json("\"\"")],
        ["number": .json("\"NaN\"")],
      ], from: family)
    #expect(
      (0..<7).map { forms["\($0)"]?.number } == [21, 7.25, 1_000, -0.5, nil, nil, nil])
  }

  // S43 of Docs/old-apps.md
  @Test(
    "A day of every family is the same one, from the year 861 to a future one",
    arguments: ScenarioFamily.allCases)
  func days(_ family: ScenarioFamily) async throws {
    let texts = [
      "0861-01-01", "1880-06-30", "1969-12-31", "1970-01-01", "2026-11-29", "2101-02-28",
    ]
    let forms = try await read(
      texts.map { ["day": .timestamp("\($0)T00:00:00.000Z")] } + [["day": .null]], from: family)
    for (number, text) in texts.enumerated() {
      #expect(forms["\(number)"]?.day == (try CalendarDay(text)), "\(text)")
    }
    #expect(forms["6"]?.day == nil)
  }

  // S44 of Docs/old-apps.md
  @Test(
    "A file with marks, line ends, quotes, and separators of any kind has the rows of the portals",
    arguments: [
      "\u{FEFF}id,value,note\r\ns1,1,\"a, \"\"b\"\"\"\r\ns2,2,\r\n",
      "id;value;note\ns1;1;a, \"b\"\ns2;2;\n", "note\tid\tvalue\na, \"b\"\ts1\t1\n\ts2\t2",
      "[{\"id\":\"s1\",\"value\":1,\"note\":\"a, \\\"b\\\"\"},{\"id\":\"s2\",\"value\":\"2\",\"note\":null}]",
      "{\"id\":\"s1\",\"value\":1,\"note\":\"a, \\\"b\\\"\"}\n{\"id\":\"s2\",\"value\":2}\n",
    ])
  func files(_ text: String) async throws {
    let transport = StubTransport { $0.on("rows", respond: .text(text)) }
    for target in ScenarioTarget.allCases {
      let made = try target.make()
      let table = SyncedTable(
        "stones",
        sources: [
          Download<ScenarioStone>(URL(literal: "https://portal.example/rows"), transport: transport)
        ], target: made.target)
      #expect(try await table.refresh(.now).added == 2)
      let stones = Set(try await made.target.records())
      #expect(
        stones == [
          ScenarioStone(id: "s1", value: 1, note: "a, \"b\""),
          ScenarioStone(id: "s2", value: 2, note: nil),
        ])
    }
  }

  // S45 of Docs/old-apps.md
  @Test("A portal that sends another of its formats than was requested is an error of every family")
  func otherFormats() async throws {
    // Socrata's rows.json, where rows by their names were requested.
    let body =
      #"{"meta":{"view":{"columns":[{"name":"id","fieldName":"id"}]}},"data":[["s1"],["s2"]]}"#
    for family in ScenarioFamily.allCases where family != .file {
      let bench = try ScenarioBench(family, ScenarioTarget.allCases[0], stones: 12)
      bench.portal.fail {
        TransportResponse(
          status: 200, fields: ["Content-Type": "application/json"], body: .text(body))
      }
      #expect(try await bench.failure() != nil, "\(family)")
      #expect(try await bench.stored().isEmpty, "\(family)")
    }
  }
}
