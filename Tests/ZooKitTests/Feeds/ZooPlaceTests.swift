import FieldCore
import Testing
import ZooKit

@Suite("The place of a row")
struct ZooPlaceTests {
  private func animal(_ members: [(String, String)]) throws -> Animal {
    let row = ZooFixture.row(1, [("a_name_ch", "馬來貘")] + members)
    return try #require(Batch<ZooRecord>(reading: ZooFixture.answer([row])).animals.first)
  }

  // 2.2 of Docs/old-apps.md
  @Test("the place of a row is valid if it is in the zoo")
  func inOrder() throws {
    let animal = try animal([
      ("a_geo", "MULTIPOINT ((121.5827151 24.9963569), (121.5832408 24.9947719))")
    ])
    #expect(
      animal.places == [
        try Coordinate(latitude: 24.9963569, longitude: 121.5827151),
        try Coordinate(latitude: 24.9947719, longitude: 121.5832408),
      ])
    #expect(animal.positionIssue == nil)
    #expect(animal.unreadable.isEmpty)
  }

  @Test(
    "the place of a row is corrected and flagged if latitude and longitude are swapped",
    arguments: [
      [("a_geo", "MULTIPOINT ((24.9963569 121.5827151))")],
      [("a_longitude", "24.9963569"), ("a_latitude", "121.5827151")],
    ])
  func swapped(members: [(String, String)]) throws {
    let animal = try animal(members)
    #expect(animal.places == [try Coordinate(latitude: 24.9963569, longitude: 121.5827151)])
    #expect(animal.positionIssue == .swapped)
  }

  @Test(
    "the place of a row is kept and flagged if it is outside the zoo",
    arguments: [("0", "0"), ("121.5", "25.1"), ("0.1", "-0.2"), ("-97.5", "18.9")])
  func outside(longitude: String, latitude: String) throws {
    let animal = try animal([("a_longitude", longitude), ("a_latitude", latitude)])
    #expect(animal.places.map(\.longitude) == [Double(longitude)])
    #expect(animal.places.map(\.latitude) == [Double(latitude)])
    #expect(animal.positionIssue == .outsideZoo)
  }

  @Test("the place of a row is nil, with its text kept, if it contains none")
  func unreadable() throws {
    let geometry = try animal([("a_geo", "整修中")])
    #expect(geometry.places.isEmpty)
    #expect(geometry.positionIssue == .unreadable)
    #expect(geometry.unreadable == ["a_geo": "整修中"])
    let columns = try animal([("a_longitude", "東經"), ("a_latitude", "24.99")])
    #expect(columns.places.isEmpty)
    #expect(columns.positionIssue == .unreadable)
    #expect(columns.unreadable == ["a_longitude": "東經", "a_latitude": "24.99"])
    let far = try animal([("a_longitude", "1215832"), ("a_latitude", "249971")])
    #expect(far.places.isEmpty)
    #expect(far.positionIssue == .unreadable)
    #expect(far.unreadable == ["a_longitude": "1215832", "a_latitude": "249971"])
  }

  @Test("the place of a row has the readable ones of several, and is flagged for the rest")
  func partly() throws {
    let animal = try animal([("a_geo", "MULTIPOINT ((121.58 24.99), (999 24.99))")])
    #expect(animal.places == [try Coordinate(latitude: 24.99, longitude: 121.58)])
    #expect(animal.positionIssue == .unreadable)
    #expect(animal.unreadable["a_geo"] == "MULTIPOINT ((121.58 24.99), (999 24.99))")
  }

  @Test("the place of a row is that of the geometry if the split columns are blank")
  func fallback() throws {
    let animal = try animal([
      ("a_longitude", ""), ("a_latitude", " "), ("a_geo", "POINT (121.58 24.99)"),
    ])
    #expect(animal.places == [try Coordinate(latitude: 24.99, longitude: 121.58)])
    #expect(animal.positionIssue == nil)
  }

  @Test("the place of a row is nil, without an issue, if the row has none")
  func none() throws {
    let animal = try animal([])
    #expect(animal.places.isEmpty)
    #expect(animal.positionIssue == nil)
    #expect(animal.id == "馬來貘")
  }
}
