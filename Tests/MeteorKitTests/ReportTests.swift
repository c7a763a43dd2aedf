import Foundation
import MeteorKit
import TestSupport
import Testing

/// Inputs written after public reports of broken files, whose README says what is in them.
@Suite(
  "Files from public reports",
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct ReportTests {
  @Test(
    "files from public reports have all of their meteorites",
    arguments: [
      ("point-wkt.csv", ["1", "2"], 741), ("fullwidth.csv", ["1", "2"], 741),
      ("nan.json", ["1", "2"], 3), ("quote.tsv", ["1", "2"], 43),
      ("sequence.geojsons", ["1", "2"], 0), ("jsonstring.json", ["1"], 21),
      ("object-of-objects.json", ["1", "2"], 43), ("na-id.csv", ["NA", "NL"], 43),
    ] as [(String, [String], Double)])
  func rows(_ name: String, _ ids: [String], _ grams: Double) throws {
    let rows = try Batch<Meteorite>(reading: SharedData.bytes("reports/\(name)"))
    #expect(rows.records.map(\.id.rawValue) == ids)
    #expect(rows.failures.isEmpty)
    #expect(rows.records.compactMap(\.massInGrams).reduce(0, +) == grams)
    #expect(rows.records.allSatisfy { $0.unreadable.isEmpty })
  }

  @Test("files from public reports have the positions that are in them")
  func positions() throws {
    let wkt = try Batch<Meteorite>(reading: SharedData.bytes("reports/point-wkt.csv")).records
    #expect(wkt.first?.coordinate == (try Coordinate(latitude: 50.775, longitude: 6.08333)))
    let wide = try Batch<Meteorite>(reading: SharedData.bytes("reports/fullwidth.csv")).records
    #expect(wide.last?.coordinate == (try Coordinate(latitude: 56.18333, longitude: 10.23333)))
    let quoted = try Batch<Meteorite>(reading: SharedData.bytes("reports/quote.tsv")).records
    #expect(quoted.last?.name == "Lorem Ipsum dolor sit")
  }
}

@Suite("Positions of meteorites")
struct PositionTests {
  @Test(
    "positions are read from one cell, missing if it has none, and flagged if unreadable",
    arguments: [
      ("POINT (6.5 50.5)", true, false), ("\"Main St 1\n(50.5, 6.5)\"", true, false),
      ("", false, false), ("POINT EMPTY", false, false), ("POINT (6.5 50.", false, true),
      ("Main St 1", false, true), ("\"(50.5, 6.5\"", false, true), ("POINT (6.5 95)", false, true),
    ])
  func cells(_ cell: String, _ isThere: Bool, _ isFlagged: Bool) throws {
    let text = "id,name,geolocation\n1,A,\(cell)\n"
    let meteorite = try #require(try Batch<Meteorite>(reading: Array(text.utf8)).records.first)
    let place = try Coordinate(latitude: 50.5, longitude: 6.5)
    #expect(meteorite.coordinate == (isThere ? place : nil))
    #expect((meteorite.unreadable["geolocation"] != nil) == isFlagged)
  }

  @Test("positions are read with a year and a mass in full width, too")
  func fullWidth() throws {
    let text = "id,mass,year,reclat,reclong\n1,２１．５,１８８０,－５０．５,６．５\n"
    let meteorite = try #require(try Batch<Meteorite>(reading: Array(text.utf8)).records.first)
    #expect(meteorite.massInGrams == 21.5)
    #expect(meteorite.year?.rawValue == 1880)
    #expect(meteorite.coordinate == (try Coordinate(latitude: -50.5, longitude: 6.5)))
  }

  @Test("positions of nulls are missing, not unreadable")
  func nulls() throws {
    let text = #"""
      [{"id":"1","geolocation":{"latitude":null,"longitude":null}},
      {"id":"2","geolocation":{"type":"Point","coordinates":[null,null]}},
      {"id":"3","reclat":null,"reclong":null,"geolocation":null},
      {"id":"4","geolocation":{"latitude":"50.5","longitude":null}}]
      """#
    let meteorites = try Batch<Meteorite>(reading: Array(text.utf8)).records
    #expect(meteorites.map(\.unreadable.isEmpty) == [true, true, true, false])
  }
}
