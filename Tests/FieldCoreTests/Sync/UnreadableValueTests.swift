import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Optional values that a catalog can't read")
struct UnreadableValueTests {
  struct Well: CatalogRecord, RowReadable {
    static let columns = [
      RowColumn("no"), RowColumn("lat"), RowColumn("lon"), RowColumn("place"), RowColumn("depth"),
      RowColumn("beds"), RowColumn("dug"), RowColumn("page"), RowColumn("floor"),
    ]
    let id: Int
    let position: Coordinate?

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.integer(0) else { throw RowProblem("The well has no number.") }
      self.id = id
      position = row.coordinate(latitude: 1, longitude: 2) ?? row.coordinate(3)
      _ = (row.double(4), row.integer(5), row.date(6, in: .utc), row.webAddress(7))
      // A value that is kept in another form isn't lost.
      _ = row.integer(8).map(String.init) ?? row.text(8)
    }
  }

  private func notice(_ rows: String) throws -> RefreshReport.Notice? {
    try Batch<Well>(reading: Array("[\(rows)]".utf8)).unreadable?.notice
  }

  @Test(
    "unreadable optional values are reported with their column, their row, and the text",
    arguments: [
      (#""lat":50.5,"lon":null"#, "lat isn't a location: \"50.5, \""),
      (#""lat":50.5"#, "lat isn't a location: \"50.5, \""),
      (#""lon":"6.5""#, "lon isn't a location: \", 6.5\""),
      (#""lat":95,"lon":6"#, "lat isn't a location: \"95, 6\""),
      (#""lat":"north","lon":"east""#, "lat isn't a location: \"north, east\""),
      (#""place":"POINT (6.5 50.5""#, "place isn't a location: \"POINT (6.5 50.5\""),
      (#""place":{"latitude":"50.5"}"#, "place isn't a location: \"{\"latitude\":\"50.5\"}\""),
      (#""place":{"type":"Point","coordinates":[6.5]}"#, "place isn't a location"),
      (#""place":{"type":"Point","coordinates":[6.5,null]}"#, "place isn't a location"),
      (#""depth":"deep""#, "depth isn't a number: \"deep\""),
      (#""depth":[1]"#, "depth isn't a number: \"[1]\""),
      (#""beds":2.5"#, "beds isn't an integer: \"2.5\""),
      (#""dug":"31/02/2024""#, "dug isn't a date: \"31/02/2024\""),
      (#""dug":{"y":1}"#, "dug isn't a date"),
      (#""page":"see leaflet""#, "page isn't a web address: \"see leaflet\""),
    ])
  func told(cells: String, reason: String) throws {
    let notice = try #require(try notice(#"{"no":1},{"no":7,\#(cells)}"#))
    #expect(notice.code == .unreadableValues)
    #expect(notice.message.hasPrefix("1 values"))
    #expect(notice.message.contains("The first: row 1 (7): \(reason)"), "\(notice.message)")
  }

  @Test(
    "unreadable optional values aren't those that are missing, readable, or kept in another form",
    arguments: [
      "", #""lat":null,"lon":null"#, #""lat":"","lon":"NaN""#, #""lat":"NaN","lon":"NaN""#,
      #""lat":50.5,"lon":6.5"#, #""lat":"POINT (6.5 50.5)""#, #""place":"POINT EMPTY""#,
      #""place":{"latitude":null,"longitude":null}"#, #""place":{"human_address":"{}"}"#,
      #""place":null,"depth":"-","beds":"N/A","dug":" ","page":"""#, #""depth":"nan""#,
      #""depth":"1.5","beds":"2.0","dug":"2024-02-29","page":"https://wells.example/a b""#,
      #""floor":"B1""#, #""floor":"3""#,
    ])
  func silent(cells: String) throws {
    #expect(try notice(#"{"no":1\#(cells.isEmpty ? "" : ",")\#(cells)}"#) == nil)
  }

  @Test("unreadable optional values are counted by column in one notice, without failed rows'")
  func download() async throws {
    let body =
      "no,lat,lon,place,depth\n1,50.5,,,x\n2,50.5,6.5,,y\n?,,,,z\n4,,,,1\n" + "5,,,,\n6,,,,\n"
    let storage = Storage.inMemory
    let wells = Catalog<Well>(
      "wells", at: try #require(URL(string: "https://wells.example/")), storage: storage,
      transport: StubTransport {
        $0.on("wells.rows") { _ in TransportResponse(status: 200, body: .text(body)) }
      })
    let report = try await wells.refresh()
    #expect(report.failureCount == 1)
    let notice = try #require(report.notices.first { $0.code == .unreadableValues })
    #expect(notice.message.hasPrefix("3 values"))
    #expect(notice.message.contains("depth (2), lat (1). The first: row 0 (1): lat"))
  }

  struct Wells: PagedSource {
    let fingerprint = "wells/1"
    let isIncremental = false
    let options = SyncOptions(pageSize: 2)

    func page(_ request: PageRequest) async throws -> Batch<Well> {
      let offset = request.position?.key.flatMap { Int($0) } ?? 0
      let rows = ["1,1", "2,2", "3,x", "4,4", "5,y"].dropFirst(offset).prefix(request.size)
      var page = try Batch<Well>(
        reading: Array((["no,depth"] + rows).map { $0 + "\n" }.joined().utf8))
      page.facts.end = rows.isEmpty ? nil : SyncPosition(key: String(offset + rows.count))
      return page
    }
  }

  @Test("unreadable optional values are counted over all pages, whose rows are numbered through")
  func pages() async throws {
    let report = try await Catalog("wells", source: Wells(), storage: .inMemory).refresh()
    #expect(report.notices.map(\.code) == [.unreadableValues])
    #expect(
      report.notices.first?.message
        == "2 values can't be read, so their records lack them: depth (2). The first: "
        + "row 2 (3): depth isn't a number: \"x\"")
  }
}
