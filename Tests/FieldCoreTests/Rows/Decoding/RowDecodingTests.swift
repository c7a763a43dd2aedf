import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A Decodable record that is read from rows")
struct RowDecodingTests {
  @Test(
    "a Decodable record has the values that its keys name, in every format",
    arguments: RowShape.allCases)
  func tree(shape: RowShape) throws {
    let body = shape.body(
      ["other", "treeid", "QSPECIES", "dbh", "latitude", "longitude"],
      [
        ["1", "\"7\"", "\" Ginkgo biloba \"", "\"12.5\"", "37.75", "\"-122.5\""],
        ["2", "8.0", "\"NA\"", "\"\"", "null", "\"-\""],
      ])
    let page = try Batch<DecodedTree>(body)
    #expect(page.failures == [])
    #expect(page.unreadable == nil)
    #expect(
      page.records == [
        DecodedTree(
          id: "7", species: "Ginkgo biloba", height: 12.5,
          coordinate: Coordinate(validLatitude: 37.75, longitude: -122.5)),
        DecodedTree(id: "8", species: nil, height: nil, coordinate: nil),
      ])
  }

  /// The columns of ``HandReadSpot``, and one that neither reads.
  private static let columns = HandReadSpot.Columns.allCases.map(\.rawValue) + ["unread"]

  /// Cells of every kind for a column.
  private static func cells(of column: HandReadSpot.Columns) -> [String] {
    let void = ["", "null", "\"\"", "\" \"", "\"NA\"", "\"N/A\"", "\"-\"", "\"null\""]
    switch column {
    case .id: return ["\"a1\"", "\" b \"", "12", "\"3.0\"", "4.0", "\"臺北-5\""]
    case .name:
      return void + ["\"石虎\"", "\"  a b \"", "\"x \\\"y\\\" \\u53f0\"", "12", "true", "[1]"]
    case .size, .width:
      return void + [
        "1.5", "\"2.25\"", "\"１２．５\"", "\"1,234.5\"", "1e2", "\"-0.5\"", "\"x\"", "[]",
      ]
    case .count:
      return void + ["3", "\"4\"", "\"5.0\"", "1e3", "2.5", "\"60,000,000\"", "\"many\"", "{}"]
    case .level: return void + ["-3", "\"127\"", "128", "\"x\""]
    case .serial: return void + ["3", "\"9007199254740993\"", "-1", "\"x\""]
    case .isOpen:
      return void + ["true", "false", "1", "\"0\"", "\"Y\"", "\"否\"", "\"Ｎ\"", "\"maybe\""]
    case .day, .moment:
      return void + [
        "\"2024-02-29\"", "\"2024/1/5 10:30\"", "\"2018-12-21T11:27:25+0800\"", "\"民國105年5月16日\"",
        "1774418829", "\"31/02/2024\"", "\"soon\"", "[2024]",
      ]
    case .page:
      return void + ["\"https://example.org/a b\"", "\"http://例え.jp/\"", "\"see leaflet\"", "7"]
    case .price: return void + ["0.5", "\"12.25\"", "\"x\"", "1e2"]
    case .kind: return void + ["\"park\"", "\" street \"", "\"river\"", "1"]
    case .coordinate, .geometry:
      return void + [
        "\"POINT (121.5 25.25)\"", "{\"type\":\"Point\",\"coordinates\":[121.5,25.25]}",
        "{\"latitude\":\"25.5\",\"longitude\":\"121.25\"}", "\"(25.5, 121.25)\"", "\"Main St\"",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,4],[5,6],[1,2]]]}",
      ]
    case .latitude: return void + ["25.5", "\"25.75\"", "\"x\"", "95"]
    case .longitude: return void + ["121.5", "\"121.75\"", "\"x\"", "500"]
    case .tags: return void + ["[\"a\",\"b\"]", "\"[\\\"c\\\"]\"", "[]", "\"a;b\""]
    case .address:
      return void + [
        "{\"street\":\"Main\",\"number\":5}", "\"{\\\"street\\\":\\\"Main\\\"}\"", "{}",
        "\"Main 5\"",
      ]
    }
  }

  @Test(
    "a Decodable record equals one read by the accessors of rows, whatever is in the cells",
    arguments: RowShape.allCases)
  func random(shape: RowShape) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      var columns = Self.columns.shuffled(using: &random)
      // A column may be missing.
      columns.removeAll { $0 != "id" && Int.random(in: 0..<12, using: &random) == 0 }
      let rows = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
        columns.map { name in
          HandReadSpot.Columns(rawValue: name).flatMap {
            Self.cells(of: $0).randomElement(using: &random)
          } ?? "9"
        }
      }
      let body = shape.body(columns, rows)
      let decoded = try Batch<DecodedSpot>(body)
      let read = try Batch<HandReadSpot>(body)
      #expect(
        decoded.records == read.records.map(\.spot), "seed \(seed): \(body)")
      #expect(decoded.failures.map(\.index) == read.failures.map(\.index), "seed \(seed): \(body)")
      #expect(decoded.recordHashes == read.recordHashes)
    }
  }

  // MARK: IDs

  /// A record with its ID behind another property.
  struct Country: CatalogRecord {
    let rank: Int
    let id: String
    let name: String?

    enum CodingKeys: String, CodingKey { case rank, id = "code", name }
  }

  @Test("a Decodable record has the ID NA where others are codes, but isn't called NA")
  func namibia() throws {
    let page = try Batch<Country>("rank,code,name\n1,TW,NA\n2,NA,Namibia\n3,JP,Japan\n")
    #expect(page.records.map(\.id) == ["TW", "NA", "JP"])
    #expect(page.records.map(\.name) == [nil, "Namibia", "Japan"])
  }

  @Test("a Decodable record names its failed rows by its ID, wherever that is declared")
  func failedIDs() throws {
    let page = try Batch<Country>("rank,code,name\n1,TW,\n?,NA,Namibia\n3,JP,Japan\n")
    #expect(page.failures.map(\.key) == ["NA"])
    #expect(page.failedIDs == ["NA"])
    #expect(page.failures.map(\.reason) == ["rank isn't an integer: \"?\""])
  }

  struct Numbered: CatalogRecord {
    let name: String
    let id: Int
  }

  struct Beacon: CatalogRecord {
    let power: Double
    let id: UUID
  }

  @Test("a Decodable record has IDs of other types, too")
  func otherIDs() throws {
    let numbers = try Batch<Numbered>(#"[{"id":"7.0","name":"a"},{"id":8,"name":null}]"#)
    #expect(numbers.records.map(\.id) == [7])
    #expect(numbers.failedIDs == [8])
    let id = UUID()
    let beacons = try Batch<Beacon>(
      "id,power\n\(UUID()),1\n\(id.uuidString.lowercased()),\n")
    #expect(beacons.failedIDs == [id])
  }

  // MARK: failures

  /// A record whose properties aren't optional.
  struct Strict: CatalogRecord {
    enum Kind: String, Codable { case park, street }
    struct Place: Codable, Equatable { let floor: Int }
    let id: String
    let name: String
    let height: Double
    let level: UInt8
    let kind: Kind
    let open: Bool
    let coordinate: Coordinate?
    let position: Coordinate
    let place: Place
  }

  @Test(
    "a Decodable record fails with the column and the value if a necessary one can't be read",
    arguments: [
      ("name", "\"-\"", #"name has no value: "-""#), ("name", "\" \"", "name has no value"),
      ("name", "null", "name has no value"), ("name", "", "name has no value"),
      ("name", "[1]", "name isn't text: \"[1]\""),
      ("height", "\"tall\"", "height isn't a number: \"tall\""),
      ("level", "300", "level isn't an integer from 0 through 255: \"300\""),
      ("kind", "\"river\"", "kind isn't a known value: \"river\""),
      ("kind", "\"\"", "kind has no value"),
      ("open", "\"perhaps\"", "open isn't a Boolean value: \"perhaps\""),
      ("position", "\"Main St\"", "position isn't a location: \"Main St\""),
      ("place", "{\"floor\":\"B1\"}", "place.floor isn't an integer: \"B1\""),
      ("place", "\"B1\"", "place isn't an object: \"B1\""),
    ])
  func failure(column: String, cell: String, reason: String) throws {
    var cells = [
      "id": "7", "name": "\"a\"", "height": "1", "level": "1", "kind": "\"park\"", "open": "1",
      "position": "\"POINT (6 50)\"", "place": "{\"floor\":1}",
    ]
    let names = cells.keys.sorted()
    let good = names.map { cells[$0] ?? "" }
    cells[column] = cell
    // In separated values, brackets are text.
    let isNested = cell.hasPrefix("[")
    for shape in RowShape.allCases where !isNested || shape != .csv && shape != .tabs {
      let body = shape.body(names, [good, names.map { cells[$0] ?? "" }])
      let page = try Batch<Strict>(body)
      #expect(page.records.map(\.id) == ["7"], "\(shape)")
      #expect(page.failures.map(\.reason) == [reason], "\(shape)")
      #expect(page.failures.map(\.key) == ["7"], "\(shape)")
      #expect(page.failures.map(\.index) == [1], "\(shape)")
      #expect(page.unreadable == nil)
    }
  }

  @Test(
    "a Decodable record has nil for an optional value that can't be read, which is reported",
    arguments: [
      ("size", "\"big\"", #"size isn't a number: "big""#),
      ("count", "2.5", #"count isn't an integer: "2.5""#),
      ("level", "\"128\"", #"level isn't an integer from -128 through 127: "128""#),
      ("serial", "-1", #"serial isn't an integer from 0 through 18446744073709551615: "-1""#),
      ("isOpen", "\"perhaps\"", #"isOpen isn't a Boolean value: "perhaps""#),
      ("day", "\"soon\"", #"day isn't a date: "soon""#),
      ("moment", "\"31/02/2024\"", #"moment isn't a date: "31/02/2024""#),
      ("page", "\"see leaflet\"", #"page isn't a web address: "see leaflet""#),
      ("price", "\"free\"", #"price isn't a number: "free""#),
      ("kind", "\"river\"", #"kind isn't a known value: "river""#),
      ("name", "[1]", #"name isn't text: "[1]""#),
      ("latitude", "95", #"coordinate isn't a location: "95, ""#),
      ("coordinate", "\"POINT (6\"", #"coordinate isn't a location: "POINT (6""#),
      ("tags", "\"a;b\"", #"tags isn't an array: "a;b""#),
      ("tags", "[1,[2]]", #"tags isn't readable (tags[1] isn't text: "[2]"): "[1,[2]]""#),
      ("address", "{\"number\":\"x\"}", #"address.number isn't an integer: "x""#),
    ])
  func unreadable(column: String, cell: String, reason: String) throws {
    let body = RowShape.array.body(["id", column], [["1", "null"], ["7", cell]])
    let page = try Batch<DecodedSpot>(body)
    #expect(page.records.map(\.id) == ["1", "7"])
    let notice = try #require(page.unreadable?.notice)
    #expect(notice.message.hasPrefix("1 values can't be read"), "\(notice.message)")
    #expect(notice.message.hasSuffix("The first: row 1 (7): \(reason)"), "\(notice.message)")
  }

  @Test(
    "the error names the columns that came and those expected if no row of a record can be read")
  func otherColumns() throws {
    let page = try Batch<Country>(#"[{"code":"TW","land":"Taiwan"},{"code":"JP"}]"#)
    #expect(
      page.failures.first?.reason
        == "rank has no value (the columns are code, land; expected: code, rank, name)")
    let error = #expect(throws: FieldError.self) {
      try Batch<Country>("land,stadt\n1,2\n")
    }
    #expect(error?.message.contains("code, rank, name") == true)
  }
}
