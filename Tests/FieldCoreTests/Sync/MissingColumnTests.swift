import FieldCore
import FieldTesting
import Foundation
import Testing

/// Renamed columns and truncated tables, whose rows can be read all the same.
@Suite("Columns and rows that are missing")
struct MissingColumnTests {
  struct Stand: CatalogRecord, Hashable {
    let id: Int
    let name: String?
    let bikes: Int?
    let coordinate: Coordinate?
    enum CodingKeys: String, CodingKey {
      case id = "no"
      case name, bikes, coordinate
    }
  }

  private func report(
    _ first: String, then second: String? = nil, storage: Storage = .inMemory
  ) async throws -> (RefreshReport, Catalog<Stand>) {
    let transport = StubTransport {
      $0.on("stands.rows", respond: .sequence(.text(first), .text(second ?? first)))
    }
    let url = try #require(URL(string: "https://stands.example/"))
    let stands = Catalog<Stand>("stands", at: url, storage: storage, transport: transport)
    var report = try await stands.refresh(.now)
    if second != nil { report = try await stands.refresh(.now) }
    return (report, stands)
  }

  private func missing(_ body: String) throws -> String? {
    try Batch<Stand>(reading: Array(body.utf8)).missingColumns?.notice.message
  }

  @Test("a column that no row has is reported, with the names that nothing reads")
  func renamed() async throws {
    let rows = (1...12).map { "\($0),站\($0),\($0),25.0,121.5\n" }.joined()
    let (report, stands) = try await report(
      "no,name,bikes,lat,lng\n" + rows, then: "no,name,available,lat_84,lng_84\n" + rows)
    let notice = try #require(report.notices.first { $0.code == .missingColumns })
    #expect(
      notice.message
        == "No row has the column bikes, coordinate, so no record has its value. If one has a new name, "
        + "add that to `columns`; unread: available, lat_84, lng_84.")
    #expect(try await stands.view().count == 12)
  }

  @Test(
    "a location is missing only if none of its columns is there",
    arguments: [
      ("no,name,bikes,lat,lng\n1,a,2,25,121\n", nil),
      ("no,name,bikes,緯度,經度\n1,a,2,25,121\n", nil),
      ("no,name,bikes,location\n1,a,2,\"(25, 121)\"\n", nil),
      ("no,name,bikes,coordinate\n1,a,2,\"(25, 121)\"\n", nil),
      ("no,name,bikes\n1,a,2\n", "No row has the column coordinate, so no record has its value."),
      (#"[{"no":1,"name":"a","bikes":2,"lat":25,"lng":121}]"#, nil),
      (#"[{"no":1,"name":"a"},{"no":2,"bikes":1,"coordinate":null}]"#, nil),
      (
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","#
          + #""coordinates":[121,25]},"properties":{"no":1,"name":"a","bikes":2}}]}"#, nil
      ),
      ("no,name,bikes,lat,lng\n", nil),
    ] as [(String, String?)])
  func locations(body: String, message: String?) throws {
    #expect(try missing(body) == message)
  }

  @Test("a column is missing from pages only if all of them lack it")
  func pages() throws {
    func page(_ text: String) throws -> Batch<Stand> { try Batch(reading: Array(text.utf8)) }
    var whole = try page(#"[{"no":1,"note":"x"}]"#)
    #expect(whole.missingColumns?.notice.message.contains("name, bikes, coordinate,") == true)
    whole.append(try page(#"[{"no":2,"name":"b","other":"y"}]"#))
    #expect(
      whole.missingColumns?.notice.message
        == "No row has the column bikes, coordinate, so no record has its value. If one has a new name, "
        + "add that to `columns`; unread: note, other.")
    whole.append(try page("[]"))
    #expect(whole.missingColumns != nil)
    whole.append(try page(#"[{"no":3,"bikes":3,"lat":25,"lng":121}]"#))
    #expect(whole.missingColumns == nil)
  }

  @Test("the last row of a truncated table may be any row, so nothing is removed")
  func truncated() async throws {
    let header = "no,name,bikes,lat,lng\n"
    let rows = (1...60).map { "\($0),站\($0),\($0),25.0,121.5" }
    let whole = header + rows.joined(separator: "\n") + "\n"
    let short = header + rows[..<55].joined(separator: "\n") + "\n56,站56"
    let (report, stands) = try await report(whole, then: short)
    #expect(report.removed == 0 && report.failureCount == 1)
    #expect(
      report.failures.first?.reason
        == "it is the last row, has 2 of 5 cells, and no line break ends it, so the body may be truncated"
    )
    #expect(report.notices.map(\.code) == [.removalSkipped])
    #expect(try await stands.view()[56]?.bikes == 56)
    #expect(try await stands.view().count == 60)
  }

  @Test("a table that was truncated in the middle is refused")
  func truncatedInTheMiddle() async throws {
    let header = "no,name,bikes,lat,lng\n"
    let rows = (1...60).map { "\($0),站\($0),\($0),25.0,121.5" }
    let storage = Storage.inMemory
    _ = try await report(header + rows.joined(separator: "\n") + "\n", storage: storage)
    let half = header + rows[..<30].joined(separator: "\n") + "\n31,站"
    let error = await #expect(throws: FieldError.self) {
      try await report(half, storage: storage)
    }
    #expect(error?.code == .snapshotRefused)
    #expect(
      error?.message.contains("30 of 60 stored records are missing from it; its last row") == true)
  }

  @Test(
    "a last row without all cells is used if others lack some, if a line break ends it, or if there are few",
    arguments: [
      (1...20).map { $0 == 3 ? "3,c\n" : "\($0),a,1,25,121\n" }.joined() + "21,b",
      (1...20).map { "\($0),a,1,25,121\n" }.joined() + "21,b\n",
      (1...9).map { "\($0),a,1,25,121\n" }.joined() + "21,b",
      (1...20).map { "\($0),a,1,25,121\n" }.joined() + "21,b,1,25,121",
    ])
  func used(rows: String) throws {
    let batch = try Batch<Stand>(reading: Array(("no,name,bikes,lat,lng\n" + rows).utf8))
    #expect(batch.failures.isEmpty && batch.records.last?.id == 21)
  }

  @Test("the first unreadable value of each column is named")
  func examples() async throws {
    let (report, _) = try await report(
      "no,name,bikes,lat,lng\n1,a,x,25,121\n2,b,y,95,121\n3,c,1,25,121\n")
    #expect(
      report.notices.first { $0.code == .unreadableValues }?.message
        == "3 values can't be read, so their records lack them: bikes (2), coordinate (1). "
        + #"The first: row 0 (1): bikes isn't an integer: "x"; row 1 (2): coordinate isn't a location: "95, 121""#
    )
  }
}
