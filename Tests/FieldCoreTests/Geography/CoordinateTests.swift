import FieldCore
import Foundation
import Testing

@Suite("Coordinates")
struct CoordinateTests {
  @Test(
    "coordinates accept every valid number unchanged",
    arguments: [(90.0, 0.0), (-90, -180), (0, 360), (0.0, -0.0), (12.5, 354.47333)])
  func valid(latitude: Double, longitude: Double) throws {
    let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(coordinate.latitude == latitude)
    #expect(coordinate.longitude == longitude)
  }

  @Test(
    "coordinates reject values that are out of range or not finite, and name each one",
    arguments: [
      (90.000001, 0.0, ["the latitude 90.000001 isn't between -90 and 90"]),
      (0, 360.5, ["the longitude 360.5 isn't between -180 and 360"]),
      (0, -180.5, ["the longitude -180.5 isn't between -180 and 360"]),
      (.nan, 0, ["the latitude nan isn't between -90 and 90"]),
      (0, -.infinity, ["the longitude -inf isn't between -180 and 360"]),
      (
        91, .nan,
        [
          "the latitude 91.0 isn't between -90 and 90",
          "the longitude nan isn't between -180 and 360",
        ]
      ),
    ])
  func invalid(latitude: Double, longitude: Double, problems: [String]) throws {
    let error = try #require(throws: FieldError.self) {
      try Coordinate(latitude: latitude, longitude: longitude)
    }
    #expect(error.code == .invalidInput)
    #expect(error.problems == problems)
    #expect(Coordinate(validLatitude: latitude, longitude: longitude) == nil)
  }

  @Test(
    "coordinates are normalized to one longitude for each meridian",
    arguments: [
      (180.0, -180.0), (-180, -180), (181, -179), (360, 0), (354.5, -5.5), (179.5, 179.5),
      (180.0.nextDown, 180.0.nextDown), (-0.0, 0.0),
    ])
  func normalized(given: Double, longitude: Double) throws {
    let normalized = try Coordinate(latitude: -0.0, longitude: given).normalized
    #expect(normalized.longitude == longitude)
    #expect(normalized.longitude.sign == (longitude < 0 ? .minus : .plus))
    #expect(normalized.latitude.sign == .plus)
  }

  @Test("coordinates survive a JSON round trip")
  func coding() throws {
    let coordinate = try Coordinate(latitude: -71.5, longitude: 354.47333)
    let data = try JSONEncoder().encode(coordinate)
    #expect(try JSONDecoder().decode(Coordinate.self, from: data) == coordinate)
  }

  @Test(
    "coordinates are rejected in JSON if they are invalid",
    arguments: [
      #"{"latitude": 91, "longitude": 0}"#, #"{"latitude": 0, "longitude": 400}"#,
      #"{"latitude": 0}"#, #"{"latitude": "0", "longitude": 0}"#,
    ])
  func refusedCoding(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Coordinate.self, from: Data(text.utf8))
    }
  }

  @Test("coordinates are described by their two numbers")
  func description() throws {
    #expect("\(try Coordinate(latitude: 48.15, longitude: 17.11))" == "48.15, 17.11")
  }
}

@Suite("Lengths")
struct DistanceTests {
  @Test(
    "lengths are described in meters, tenths of kilometers, or kilometers",
    arguments: [
      (0.0, "0 m"), (-0.2, "0 m"), (0.5, "1 m"), (999.4, "999 m"), (999.5, "1.0 km"),
      (12_349, "12.3 km"), (99_949, "99.9 km"), (99_950, "100 km"), (1_234_499, "1234 km"),
      (-1500, "-1.5 km"), (.infinity, "inf m"), (1e300, "1e+300 m"),
    ])
  func description(meters: Double, text: String) {
    #expect(Distance.meters(meters).description == text)
  }

  @Test("lengths can be compared, added, and divided")
  func arithmetic() {
    let one: Distance = .kilometers(1)
    #expect(one == .meters(1000))
    #expect(one < .meters(1001))
    #expect(one + .meters(500) == .kilometers(1.5))
    #expect(one - one == .zero)
    #expect(one * 3 == 3 * one)
    #expect(one / 4 == .meters(250))
    #expect(one / .meters(250) == 4)
    #expect([one, one].reduce(.zero, +).kilometers == 2)
  }

  @Test("lengths are a number of meters in JSON")
  func coding() throws {
    let data = try JSONEncoder().encode([Distance.kilometers(1.5)])
    #expect(String(decoding: data, as: UTF8.self) == "[1500]")
    #expect(try JSONDecoder().decode([Distance].self, from: data) == [.meters(1500)])
  }
}
