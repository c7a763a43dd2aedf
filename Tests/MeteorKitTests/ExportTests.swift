import Foundation
import MeteorKit
import Testing

@Suite("An export")
struct ExportTests {
  private func meteorites() throws -> [Meteorite] {
    var meteorites = try Rows.meteorites(Rows.all)
    meteorites[0].name = "A \"quoted\", name\nin two lines"
    meteorites[1].name = "\"\u{301}a\""
    meteorites[1].year = 861
    meteorites[3].massInGrams = 78.400000000000006
    return meteorites
  }

  @Test("an export as CSV is read back to the same meteorites, including years before 1582")
  func csv() throws {
    let meteorites = try meteorites()
    let back = try Batch<Meteorite>(reading: [UInt8](meteorites.csv()))
    #expect(back.records == meteorites)
    #expect(back.failures.isEmpty)
  }

  @Test("an export as GeoJSON is read back to the same meteorites")
  func geoJSON() throws {
    let meteorites = try meteorites()
    let data = meteorites.geoJSON()
    #expect(try Batch<Meteorite>(reading: [UInt8](data)).records == meteorites)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["type"] as? String == "FeatureCollection")
    #expect((object["features"] as? [Any])?.count == 4)
  }
}
