import FieldCore
import FieldTesting
import Foundation
import FieldPortals
import TestSupport
import Testing

@Suite("Rows of a custom type")
struct SODATypedRowsTests {
  struct Address: Decodable, Hashable, Sendable {
    var address: String
    var zip: Int?
  }

  struct Location: Decodable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
    var human_address: Address?
  }

  struct Link: Decodable, Hashable, Sendable { var url: URL }

  enum Fall: String, Decodable, Sendable { case fell = "Fell", found = "Found" }

  struct Stone: Decodable, Sendable {
    var id: Int
    var name: String
    var mass: Double?
    var mass_in_tons: Float?
    var exact: Decimal?
    var fall: Fall?
    var is_valid: Bool?
    var year: CalendarDay?
    var changed: Date?
    var page: Link?
    var place: Coordinate?
    var location: Location?
    var tags: [String]?
    var counts: [String: UInt8]?
    var big: UInt64?
  }

  private static func row(_ members: String, key: String? = nil) async throws -> SODARow {
    let transport = SmallSODA.transport("soda", ["[{\":id\":\"row-1\"\(members)}]"])
    var pages = try SmallSODA.client(transport).pages().makeAsyncIterator()
    return try #require(try await pages.next()?.rows.first)
  }

  @Test("rows of a custom type have cells in any form that a portal writes")
  func everything() async throws {
    let row = try await Self.row(
      #","id":"7","name":" Aachen ","mass":"78.400000000000006","mass_in_tons":0.5,"#
        + #""exact":"0.10000000000000000001","fall":"Fell","is_valid":"TRUE","#
        + #""year":"1880-01-01T00:00:00.000","changed":"2015-10-29T18:35:34.000Z","#
        + #""page":{"url":"https://example.org/a","description":"A"},"#
        + #""place":{"type":"Point","coordinates":[6.08333,50.775]},"#
        + #""location":{"latitude":"50.775","longitude":6.08333,"#
        + #""human_address":"{\"address\":\"1, Rue\",\"zip\":\"52062\"}"},"#
        + #""tags":["a",1,true],"counts":{"x":"3","y":4},"big":"18446744073709551615""#)
    let stone = try row.decode(Stone.self)
    #expect(stone.id == 7)
    #expect(stone.name == "Aachen")
    #expect(stone.mass == 78.4)
    #expect(stone.mass_in_tons == 0.5)
    #expect(stone.exact == Decimal(string: "0.10000000000000000001"))
    #expect(stone.fall == .fell)
    #expect(stone.is_valid == true)
    #expect(stone.year == (try CalendarDay("1880-01-01")))
    #expect(stone.changed == Date(timeIntervalSince1970: 1_446_143_734))
    #expect(stone.page?.url.absoluteString == "https://example.org/a")
    #expect(stone.place == (try Coordinate(latitude: 50.775, longitude: 6.08333)))
    #expect(
      stone.location
        == Location(
          latitude: 50.775, longitude: 6.08333,
          human_address: Address(address: "1, Rue", zip: 52_062)))
    #expect(stone.tags == ["a", "1", "true"])
    #expect(stone.counts == ["x": 3, "y": 4])
    #expect(stone.big == .max)
  }

  @Test(
    "rows of a custom type have nil for missing, null, or blank values",
    arguments: [
      "", #","mass":null,"year":null,"place":null,"tags":null"#,
      #","mass":"","mass_in_tons":" ","exact":"","is_valid":"","year":"","changed":"","page":"","#
        + #""place":"""#,
    ])
  func missing(members: String) async throws {
    let stone = try await Self.row(",\"id\":7.0,\"name\":\"x\"\(members)").decode(Stone.self)
    #expect(stone.id == 7)
    #expect(stone.name == "x")
    #expect(stone.mass == nil)
    #expect(stone.mass_in_tons == nil)
    #expect(stone.exact == nil)
    #expect(stone.is_valid == nil)
    #expect(stone.year == nil)
    #expect(stone.changed == nil)
    #expect(stone.page == nil)
    #expect(stone.place == nil)
    #expect(stone.tags == nil)
  }

  @Test(
    "A row without a value that its type needs is an error with the row, the column, and the content",
    arguments: [
      (#","name":"x""#, "id has no value"),
      (#","id":"seven","name":"x""#, #"id isn't an integer: "seven""#),
      (#","id":"7.5","name":"x""#, #"id isn't an integer: "7.5""#),
      (#","id":"7""#, "name has no value"),
    ])
  func errors(members: String, reason: String) async throws {
    let row = try await Self.row(members)
    let error = #expect(throws: FieldError.self) { _ = try row.decode(Stone.self) }
    #expect(error?.code == .malformed)
    #expect(
      error?.message.hasPrefix("The row row-1 can't be read as Stone: \(reason)") == true,
      "\(error?.message ?? "")")
  }

  @Test(
    "An optional value that can't be read is nil, as in the rows of every other source",
    arguments: [
      #","mass":"NaN""#, #","fall":"Seen""#, #","changed":"2015-10-29T18:35:34.000""#,
      #","place":{"latitude":"91","longitude":"1"}"#, #","location":{"latitude":"1"}"#,
      #","tags":"a""#,
      #","counts":{"x":256}"#,
    ])
  func unreadable(members: String) async throws {
    let stone = try await Self.row(",\"id\":7,\"name\":\"x\"\(members)").decode(Stone.self)
    #expect(stone.mass == nil && stone.fall == nil && stone.changed == nil && stone.place == nil)
    #expect(stone.location == nil && stone.tags == nil && stone.counts == nil)
  }

  @Test("rows of a custom type can be dictionaries, and have the row's key as :id")
  func dictionaries() async throws {
    let row = try await Self.row(#","a":"1","b":2"#)
    #expect(try row.decode() == ["a": "1", "b": "2", ":id": "row-1"])
    struct Keyed: Decodable {
      var key: String
      enum CodingKeys: String, CodingKey { case key = ":id" }
    }
    #expect(try row.decode(Keyed.self).key == "row-1")
  }

  /// Reads an array by itself.
  struct Pair: Decodable {
    var first: Int
    var isOpen: Bool
    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.decode(String.self)
      first = try elements.decode(Int.self)
      isOpen = try elements.decodeNil()
    }
  }

  @Test("rows of a custom type can read arrays element by element")
  func arrays() async throws {
    struct Holder: Decodable { var pair: Pair }
    let pair = try await Self.row(#","pair":["a","1",null]"#).decode(Holder.self).pair
    #expect(pair.first == 1)
    #expect(pair.isOpen)
  }

  struct Small: Decodable, Hashable, Sendable { var n: Int }

  @Test("rows of a custom type arrive page by page, and an unreadable row never ends the pages")
  func pages() async throws {
    func transport() -> StubTransport {
      SmallSODA.transport(
        "soda",
        [
          #"[{":id":"a","n":"1"},{":id":"b","n":"x"},{":id":"c","n":"\ud800"},{":id":"d"}]"#,
          #"[{":id":"e","n":5},{":id":"f","n":{}}]"#,
        ])
    }
    var pages = try SmallSODA.client(transport()).pages(as: Small.self, size: 4)
      .makeAsyncIterator()
    let first = try #require(try await pages.next())
    #expect(first.rows == [Small(n: 1)])
    #expect(first.failures.map(\.index) == [1, 2, 3])
    #expect(first.failures.map(\.key) == ["b", "c", "d"])
    #expect(first.failures[0].reason.hasPrefix("n isn't an integer: \"x\""))
    #expect(first.failures[2].reason.hasPrefix("n has no value"))
    #expect(first.next != nil)
    let second = try #require(try await pages.next())
    #expect(second.rows == [Small(n: 5)])
    #expect(second.failures.map(\.key) == ["f"])
    #expect(second.next == nil)
    #expect(try await pages.next() == nil)
    var rows: [Small] = []
    for try await row in try SmallSODA.client(transport()).rows(as: Small.self, pageSize: 4) {
      rows.append(row)
    }
    #expect(rows == [Small(n: 1), Small(n: 5)])
  }
}
