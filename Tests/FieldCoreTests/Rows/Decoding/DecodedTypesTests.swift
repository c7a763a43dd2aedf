import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Types that are read from rows by their coding keys")
struct DecodedTypesTests {
  // MARK: columns

  /// A record whose columns had other names.
  struct Station: CatalogRecord, Hashable {
    static let columns = [
      RowColumn("bikes", "available_rent_bikes", "sbi"), RowColumn("lat", "緯度2"),
      RowColumn("changed_at"),
    ]
    let id: String
    let bikes: Int
    let coordinate: Coordinate?

    enum CodingKeys: String, CodingKey { case id = "sno", bikes, coordinate }

    /// A column that isn't a property.
    enum Columns: String, CodingKey { case changed = "changed_at" }
  }

  @Test(
    "types read by coding keys have the older names that their columns add",
    arguments: RowShape.allCases)
  func olderNames(shape: RowShape) throws {
    for name in ["bikes", "available_rent_bikes", "SBI", " sbi"] {
      let page = try Batch<Station>(
        reading: Array(
          shape.body(
            ["changed_at", name, "sno", "緯度2", "lng"], [["\"b\"", "3", "1", "25.5", "121.5"]]
          ).utf8)
      ) { $0.text(Station.Columns.changed).map { SyncPosition(stamp: $0) } }
      #expect(page.failures == [])
      #expect(
        page.records == [
          Station(
            id: "1", bikes: 3, coordinate: Coordinate(validLatitude: 25.5, longitude: 121.5))
        ], "\(shape) \(name)")
      #expect(page.facts.end == SyncPosition(stamp: "b"))
    }
  }

  @Test("types read by coding keys list their keys as their columns, the ID first")
  func columns() {
    #expect(Late.columns.map(\.names) == [["key"], ["a"], ["b"]])
    let tree = DecodedTree.columns.prefix(4).map(\.names)
    #expect(tree == [["treeid"], ["qspecies"], ["dbh"], ["coordinate"]])
    #expect(DecodedTree.columns[4].names.contains("latitude"))
  }

  /// A record around another one, whose columns it lists.
  struct Wrapper: CatalogRecord {
    static let columns = DecodedTree.columns + [RowColumn("note")]
    enum Columns: String, CodingKey { case note }
    let tree: DecodedTree
    let note: String?
    var id: String { tree.id }

    init(row: borrowing SourceRow) throws(RowProblem) {
      (tree, note) = (try DecodedTree(row: row), row.text(Columns.note))
    }
  }

  @Test("types read by coding keys may contain others that are read by their keys")
  func wrapper() throws {
    let page = try Batch<Wrapper>("treeid,dbh,lat,lon,note\n1,2.5,3,4,x\n2,,,,\n")
    #expect(page.failures == [])
    #expect(page.records.map(\.note) == ["x", nil])
    #expect(page.records.first?.tree.height == 2.5)
    #expect(
      page.records.first?.tree.coordinate == Coordinate(validLatitude: 3, longitude: 4))
  }

  /// A record whose ID is made of two columns.
  struct Pair: CatalogRecord {
    let line: String
    let stop: String
    var id: String { line + "/" + stop }
  }

  @Test("types read by coding keys keep texts that look like numbers unless they are IDs")
  func madeID() throws {
    let page = try Batch<Pair>("line,stop\n1.0,2.0\n")
    #expect(page.records.map(\.id) == ["1.0/2.0"])
  }

  struct Late: CatalogRecord {
    let a: Int
    let b: String
    let id: String
    enum CodingKeys: String, CodingKey { case a, b, id = "key" }
  }

  /// A `Codable` type that reads rows in its own way.
  struct Handmade: CatalogRecord, Hashable {
    enum Columns: String, CodingKey { case id = "no", name }
    static let columns = [RowColumn("no"), RowColumn("name", "title")]
    let id: String
    let name: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(Columns.id) else { throw RowProblem("no number") }
      (self.id, name) = (id, "read \(row.text(Columns.name) ?? "")")
    }
  }

  @Test("types read by coding keys can use an initializer of their own instead")
  func handmade() throws {
    let page = try Batch<Handmade>("no,title\n1,x\n,y\n")
    #expect(page.records.map(\.name) == ["read x"])
    #expect(page.failures.map(\.reason) == ["no number"])
    // As before there were records that are read by their keys.
    #expect(Handmade.rowFingerprint("f") == Handmade.fingerprint("f", columns: Handmade.columns))
  }

  /// A type that reads a column that it doesn't list.
  struct Mistaken: CatalogRecord {
    enum Columns: String, CodingKey { case id, nam }
    static let columns = [RowColumn("id"), RowColumn("name")]
    let id: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(Columns.id) else { throw RowProblem("no number") }
      self.id = id + (row.text(Columns.nam) ?? "")
    }
  }

  @Test("types read by coding keys fail their rows if they read a column that they don't list")
  func mistaken() throws {
    let page = try Batch<Mistaken>("id,name\n1,x\n2,y\n")
    #expect(page.failures.count == 2)
    #expect(page.failures[1].reason.hasPrefix("The column nam was read, but `columns`"))
  }

  // MARK: initializers from decoders

  /// A type with defaults, an older key, and a checked value.
  struct Shop: CatalogRecord, Hashable {
    let id: String
    let name: String
    let seats: Int
    let isOpen: Bool

    enum CodingKeys: String, CodingKey { case id, name, title, seats, isOpen }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      guard !id.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .id, in: container, debugDescription: "An ID is empty.")
      }
      name =
        try container.decodeIfPresent(String.self, forKey: .name)
        ?? container.decode(String.self, forKey: .title)
      seats = (try? container.decode(Int.self, forKey: .seats)) ?? 4
      isOpen = try container.contains(.isOpen) && container.decode(Bool.self, forKey: .isOpen)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
    }
  }

  @Test("types are read from rows by an init(from:) of their own", arguments: RowShape.allCases)
  func initializer(shape: RowShape) throws {
    let page = try Batch<Shop>(
      shape.body(
        ["id", "title", "name", "seats", "isOpen"],
        [
          ["1", "\"a\"", "null", "\"7\"", "1"], ["2", "\"a\"", "\"b\"", "null", "\"N\""],
          ["3", "null", "null", "9", "1"],
        ]))
    #expect(page.records.map(\.id) == ["1", "2"])
    #expect(page.records.map(\.name) == ["a", "b"])
    #expect(page.records.map(\.seats) == [7, 4])
    #expect(page.records.map(\.isOpen) == [true, false])
    #expect(page.failures.map(\.reason) == ["title has no value"])
  }

  /// A type that reads a key only if another has a certain value.
  struct Branching: CatalogRecord, Hashable {
    let id: String
    let value: String

    enum CodingKeys: String, CodingKey { case id, kind, depth, height }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      let isWell = try container.decode(String.self, forKey: .kind) == "well"
      value = try container.decode(String.self, forKey: isWell ? .depth : .height)
    }

    func encode(to encoder: any Encoder) throws {}
  }

  @Test(
    "types read by coding keys are read completely if their keys depend on values",
    arguments: RowShape.allCases)
  func branching(shape: RowShape) throws {
    let body = shape.body(
      ["id", "kind", "depth", "height"],
      [["1", "\"tree\"", "null", "5"], ["2", "\"well\"", "7", "null"]])
    for _ in 0..<2 {
      let page = try Batch<Branching>(body)
      #expect(page.records.map(\.value) == ["5", "7"])
      #expect(page.failures == [])
    }
  }

  /// A type that rejects all values but its own.
  struct Picky: CatalogRecord, Hashable {
    let id: String
    let size: Double
    let note: String?

    enum CodingKeys: String, CodingKey { case id, size, note }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(String.self, forKey: .id)
      guard id.hasPrefix("TW-") else { throw RowProblem("\(id) is of another country") }
      size = try container.decode(Double.self, forKey: .size)
      note = try container.decodeIfPresent(String.self, forKey: .note)
    }

    func encode(to encoder: any Encoder) throws {}
  }

  @Test(
    "types read by coding keys are read from all columns if they reject every made-up value",
    arguments: RowShape.allCases)
  func picky(shape: RowShape) throws {
    let page = try Batch<Picky>(
      shape.body(
        ["note", "id", "SIZE"],
        [["\"x\"", "\"TW-1\"", "1.5"], ["null", "\"JP-2\"", "2"], ["null", "\"TW-3\"", "\"4\""]]))
    #expect(page.records.map(\.id) == ["TW-1", "TW-3"])
    #expect(page.records.map(\.size) == [1.5, 4])
    #expect(page.records.map(\.note) == ["x", nil])
    #expect(page.failures.map(\.reason) == ["JP-2 is of another country"])
    #expect(page.failedIDs == ["JP-2"])
  }

  /// A type that keeps all columns.
  struct Loose: CatalogRecord, Hashable {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let id: String
    let values: [String: String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      id = try container.decode(String.self, forKey: Key(stringValue: "id"))
      var values: [String: String] = [:]
      for key in container.allKeys where key.stringValue != "id" {
        values[key.stringValue] = try container.decodeIfPresent(String.self, forKey: key)
      }
      self.values = values
    }

    func encode(to encoder: any Encoder) throws {}
  }

  @Test(
    "types read by coding keys have all columns if they ask for all keys",
    arguments: RowShape.allCases)
  func allKeys(shape: RowShape) throws {
    let page = try Batch<Loose>(
      shape.body(["a", "id", "b c"], [["1", "1", "null"], ["null", "2", "\"x\""]]))
    #expect(page.records.map(\.values) == [["a": "1"], ["b c": "x"]])
  }

  @Test("types read by coding keys have later keys of JSON, too")
  func laterKeys() throws {
    let page = try Batch<Loose>(
      #"[{"id":1},{"id":2,"p":1},{"q":2,"id":3,"p":3},{"id":4}]"#)
    #expect(page.records.map(\.values) == [[:], ["p": "1"], ["p": "3", "q": "2"], [:]])
  }

  /// A type that knows no column.
  struct Unnamed: CatalogRecord, Hashable {
    let id: String
    let cells: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Loose.Key.self)
      cells = container.allKeys.map { key in
        let text = container.contains(key) ? try? container.decode(String.self, forKey: key) : nil
        return "\(key.stringValue)=\(text ?? "")"
      }
      id = cells.joined()
    }

    func encode(to encoder: any Encoder) throws {}
  }

  @Test(
    "types that know no column have all of any CSV file, under titles and with any separator",
    arguments: [
      "a,b\n1,\"x;y;z;w\"\n2,v\n", "a;b\n1;\"x;y;z;w\"\n2;v\n", "Parks\na,b\n1,x;y;z;w\n2,v\n",
      "Parks, Dublin 2026\n\na\tb\n1\tx;y;z;w\n2\tv\n", "a|b\n1|x;y;z;w\n1|2|3\n2|v\n",
      "a,b\n1,\"x;y;z;w\",\n2,v,\n", "Parks\na\tb\n1\tx;y;z;w\t\t\n2\tv\t\t\n",
    ])
  func unknownColumns(text: String) throws {
    let page = try Batch<Unnamed>(text)
    #expect(page.records.map(\.cells) == [["a=1", "b=x;y;z;w"], ["a=2", "b=v"]])
  }

  @Test(
    "types that know no column refuse what isn't rows",
    arguments: [
      ("Unauthorized", "rows.notData"), ("<html><p>a, b</p></html>", "rows.notData"),
      ("one\ntwo\n", "rows.unknownFormat"), ("", "rows.empty"),
      ("{\"error\":\"a, b\"}", "rows.notData"),
    ])
  func noRows(text: String, code: String) throws {
    let error = #expect(throws: FieldError.self) { try Batch<Unnamed>(text) }
    #expect(error?.code.rawValue == code)
  }

  @Test("types read by coding keys are read from rows whose keys are all different")
  func manyKeys() throws {
    let rows = (0..<1500).map { "{\"id\":\($0),\"k\($0)\":1}" }
    let page = try Batch<Loose>("[" + rows.joined(separator: ",") + "]")
    #expect(page.records.count == 1500)
  }

  // MARK: nested values

  struct Site: CatalogRecord, Hashable {
    struct Part: Codable, Hashable {
      let name: String
      let built: CalendarDay?
      let place: Coordinate?
      let parts: [Part]?
    }
    enum Color: Int, Codable { case red = 1, green }

    let id: String
    let main: Part
    let parts: [Part]
    let sizes: [Double]?
    let labels: [String: String]?
    let color: Color?
    let bytes: Data?
  }

  @Test(
    "types read by coding keys read JSON in a cell as tolerantly as rows",
    arguments: RowShape.allCases)
  func nested(shape: RowShape) throws {
    let page = try Batch<Site>(
      shape.body(
        ["id", "main", "parts", "sizes", "labels", "color", "bytes"],
        [
          [
            "1", #"{"NAME":" a ","built":"民國105年5月16日","place":{"lat":"25.5","lng":121.5}}"#,
            #"[{"name":7,"lat":"25.5","lng":"121.5","parts":[{"name":"b"}]}]"#,
            #"["1,234.5",2,"３"]"#, #"{"en":"Lake","zh":"湖"}"#, "\"2\"", "\"aGk=\"",
          ],
          ["2", #"{"name":"c","built":"-"}"#, "[]", "\"-\"", "{}", "9", "null"],
        ]))
    #expect(page.failures == [])
    let place = Coordinate(validLatitude: 25.5, longitude: 121.5)
    #expect(
      page.records.first
        == Site(
          id: "1",
          main: Site.Part(
            name: "a", built: try CalendarDay("2016-05-16"), place: place, parts: nil),
          parts: [
            Site.Part(
              name: "7", built: nil, place: place,
              parts: [Site.Part(name: "b", built: nil, place: nil, parts: nil)])
          ],
          sizes: [1234.5, 2, 3], labels: ["en": "Lake", "zh": "湖"], color: .green,
          bytes: Data("hi".utf8)))
    #expect(page.records.last?.color == nil)
    #expect(page.records.last?.labels == [:])
    #expect(page.unreadable?.notice?.message.contains("color isn't a known value: \"9\"") == true)
  }

  // MARK: locations

  struct Ride: CatalogRecord, Hashable {
    let id: String
    let start: Coordinate?
    let end: Coordinate?
  }

  @Test(
    "types read by coding keys find a location by its key, in usual columns, or in one cell",
    arguments: [
      #"{"id":1,"latitude":25.5,"longitude":121.5}"#, #"{"id":1,"LAT":"25.5","Lon":"121.5"}"#,
      #"{"id":1,"緯度":"25.5","經度":"121.5"}"#, #"{"id":1,"y":25.5,"x":121.5}"#,
      #"{"id":1,"coordinate":"POINT (121.5 25.5)"}"#,
      #"{"id":1,"coordinate":{"lat":25.5,"lng":121.5},"latitude":1,"longitude":2}"#,
      #"{"id":1,"the_geom":{"type":"Point","coordinates":[121.5,25.5]}}"#,
      #"{"id":1,"location":{"latitude":"25.5","longitude":"121.5","human_address":"{}"}}"#,
      #"{"id":1,"location":"Main St 5","lat":25.5,"lng":121.5}"#,
      #"{"id":1,"location":"Main St 5\n(25.5, 121.5)"}"#,
      #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[121.5,25.5]},"properties":{}}"#,
      #"{"id":1,"coordinate_lat":25.5,"coordinate_lng":121.5,"lat":1,"lng":1}"#,
    ])
  func location(row: String) throws {
    struct Spot: CatalogRecord {
      let id: String
      let coordinate: Coordinate?
    }
    let page = try Batch<Spot>(row)
    #expect(
      page.records.first?.coordinate == Coordinate(validLatitude: 25.5, longitude: 121.5))
    #expect(page.unreadable == nil)
  }

  @Test("types read by coding keys find each of several locations by its key only")
  func locations() throws {
    let page = try Batch<Ride>(
      "id,start_lat,start_lng,endLat,endLng,lat,lng\n1,1,2,3,4,5,6\n2,,,,,5,6\n")
    #expect(
      page.records == [
        Ride(
          id: "1", start: Coordinate(validLatitude: 1, longitude: 2),
          end: Coordinate(validLatitude: 3, longitude: 4)),
        Ride(id: "2", start: nil, end: nil),
      ])
  }

  @Test(
    "types read by coding keys share the columns of a location with properties that are numbers")
  func sharedColumns() throws {
    struct Spot: CatalogRecord {
      let id: String
      let lat: Double?
      let longitude: Double?
      let coordinate: Coordinate?
    }
    let page = try Batch<Spot>("id,lat,longitude\n1,1.5,2.5\n")
    #expect(page.records.first?.lat == 1.5)
    #expect(
      page.records.first?.coordinate == Coordinate(validLatitude: 1.5, longitude: 2.5))
  }

  // MARK: dates

  @Test("types read by coding keys read a date without a zone only if they state one")
  func zones() throws {
    struct Event: CatalogRecord {
      let id: String
      let time: Date?
    }
    struct Local: CatalogRecord {
      static let timeZone: FixedZone? = .taipei
      let id: String
      let time: Date?
    }
    let body = "id,time\n1,2024-01-05 08:00\n2,2024-01-05T00:00:00Z\n3,1704412800\n"
    let date = Date(timeIntervalSince1970: 1_704_412_800)
    let events = try Batch<Event>(body)
    #expect(events.records.map(\.time) == [nil, date, date])
    #expect(
      events.unreadable?.notice?.message.hasSuffix(
        "row 0 (1): time isn't a date with a time zone: \"2024-01-05 08:00\"") == true)
    #expect(try Batch<Local>(body).records.map(\.time) == [date, date, date])
  }

  // MARK: fingerprints

  private enum First {
    struct Tree: CatalogRecord {
      let id: String
      let height: Int?
    }
  }

  private enum Added {
    struct Tree: CatalogRecord {
      let id: String
      let height: Int?
      let planted: Int?
    }
  }

  private enum Retyped {
    struct Tree: CatalogRecord {
      let id: String
      let height: Double?
    }
  }

  private enum Zoned {
    struct Tree: CatalogRecord {
      static let timeZone: FixedZone? = .taipei
      let id: String
      let height: Int?
    }
  }

  private enum Versioned {
    struct Tree: CatalogRecord {
      static let formatVersion = 2
      let id: String
      let height: Int?
    }
  }

  private enum Aliased {
    struct Tree: CatalogRecord {
      static let columns = [RowColumn("height", "size")]
      let id: String
      let height: Int?
    }
  }

  private enum Kind: String, Codable { case oak, ash }

  private enum Kinds {
    struct Tree: CatalogRecord {
      let kind: Kind
      let id: String
      let height: Int?
    }
  }

  private enum KindsAdded {
    struct Tree: CatalogRecord {
      let kind: Kind
      let id: String
      let height: Int?
      let planted: Int?
    }
  }

  private enum Nested {
    struct Tree: CatalogRecord {
      struct Part: Codable, Hashable { let name: String? }
      let id: String
      let height: Int?
      let part: Part?
    }
  }

  private enum NestedAdded {
    struct Tree: CatalogRecord {
      struct Part: Codable, Hashable {
        let name: String?
        let size: Int?
      }
      let id: String
      let height: Int?
      let part: Part?
    }
  }

  @Test("types read by coding keys have another fingerprint if a version reads rows otherwise")
  func fingerprints() {
    let prints = [
      First.Tree.rowFingerprint("f"), Added.Tree.rowFingerprint("f"),
      Retyped.Tree.rowFingerprint("f"), Zoned.Tree.rowFingerprint("f"),
      Versioned.Tree.rowFingerprint("f"), Aliased.Tree.rowFingerprint("f"),
      Kinds.Tree.rowFingerprint("f"), KindsAdded.Tree.rowFingerprint("f"),
      Nested.Tree.rowFingerprint("f"), NestedAdded.Tree.rowFingerprint("f"),
    ]
    #expect(Set(prints).count == prints.count)
    #expect(First.Tree.rowFingerprint("f") == prints[0])
  }

  // MARK: a page of a response

  @Test("types read by coding keys come with the response's date, hashes, and repeated IDs")
  func response() throws {
    let page = try Batch<DecodedTree>(
      reading: TransportResponse(
        status: 200, fields: ["Date": "Fri, 05 Jan 2024 00:00:00 GMT"],
        body: .text("treeid,qspecies\n1,a\n2,b\n1,c\n,d\n1,c\n2,b\n")))
    #expect(page.records.map(\.id) == ["1", "2", "1", "1", "2"])
    #expect(page.repeatedIDs == ["1", "2"])
    #expect(Set(page.recordHashes).count == 3)
    #expect(page.failures.map(\.reason) == ["treeid has no value"])
    #expect(page.failedIDs == [])
    #expect(page.facts.serverDate == Date(timeIntervalSince1970: 1_704_412_800))
  }
}
