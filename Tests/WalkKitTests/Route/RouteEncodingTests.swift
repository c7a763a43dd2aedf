import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("The stored form of a route")
struct RouteEncodingTests {
  /// How far two routes are apart in what the stored form keeps.
  private func expectEqual(_ copy: WalkRoute, _ route: WalkRoute, _ comment: Comment) {
    #expect(copy.segments.map(\.count) == route.segments.map(\.count), comment)
    for (left, right) in zip(copy.segments.joined(), route.segments.joined()) {
      let north = abs(left.coordinate.latitude - right.coordinate.latitude)
      let east = abs(left.coordinate.longitude - right.coordinate.longitude)
      #expect(north < 0.51e-8 && east < 0.51e-8, comment)
      #expect((left.elevation == nil) == (right.elevation == nil), comment)
      #expect(abs((left.elevation ?? 0) - (right.elevation ?? 0)) < 0.0051, comment)
      #expect((left.accuracy == nil) == (right.accuracy == nil), comment)
      #expect(abs((left.accuracy?.meters ?? 0) - (right.accuracy?.meters ?? 0)) < 0.051, comment)
      #expect((left.time == nil) == (right.time == nil), comment)
      let late = (left.time ?? .distantPast).timeIntervalSince(right.time ?? .distantPast)
      #expect(abs(late) < 0.00051, comment)
    }
  }

  // 4.5-10 of Docs/old-apps.md
  @Test(
    "the stored form of a route restores the route, to the millimeter",
    arguments: Sample.of(1...30 as ClosedRange<UInt64>, inDebug: 10))
  func roundTrip(seed: UInt64) throws {
    let route = WalkRoute(segments: try TrackSamples.wild(seed: seed))
    let copy = try WalkRoute(decoding: route.encoded())
    expectEqual(copy, route, "seed \(seed)")
    #expect(copy.encoded() == route.encoded(), "seed \(seed)")
  }

  @Test(
    "the stored form of a route supports no points, empty segments, and single points",
    arguments: [0, 1, 2, 5])
  func small(count: Int) throws {
    let segment = try TrackSamples.walk(count: 1, seed: 1)
    let route = WalkRoute(segments: (0..<count).map { $0 % 2 == 0 ? [] : segment })
    expectEqual(try WalkRoute(decoding: route.encoded()), route, "\(count) segments")
  }

  @Test(
    "the stored form of a route keeps a value whose code is as long as the mark of an escaped one",
    arguments: 46...50)
  func escaped(step: Int) throws {
    // With 33 equal numbers and 30 that alternate, a step of 48 is coded as 24 ones.
    let numbers =
      Array(repeating: 100, count: 34) + (0..<30).map { $0 % 2 == 0 ? 130 : 100 } + [100 + step]
    let points = try numbers.map {
      try TrackSamples.point(nil, north: 0, accuracy: Double($0) / 10)
    }
    let route = WalkRoute(segments: [points])
    expectEqual(try WalkRoute(decoding: route.encoded()), route, "\(step)")
  }

  @Test("the stored form of a route keeps times of files exactly, with their milliseconds")
  func times() throws {
    let texts = ["2019-12-15T20:19:55Z", "2008-01-27T13:03:22.836Z", "1901-12-13T20:45:52.207Z"]
    var point = try TrackSamples.point(0, north: 0)
    for text in texts {
      point.time = try #require(TimestampParser(zone: .utc).instant(text)).date
      #expect(
        try WalkRoute(decoding: WalkRoute(segments: [[point]]).encoded()).start?.time == point.time)
    }
  }

  @Test("the stored form of a route keeps or omits a time far away, and then always the same one")
  func farTimes() throws {
    var chance = SeededGenerator(seed: Sample.seed())
    var point = try TrackSamples.point(0, north: 0)
    for _ in 0..<500 {
      let far = Int64.random(in: -8_999_999_999_999_999...8_999_999_999_999_999, using: &chance)
      let milliseconds = far >> Int64.random(in: 0..<20, using: &chance)
      point.time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let stored = WalkRoute(segments: [[point]]).encoded()
      #expect(try WalkRoute(decoding: stored).encoded() == stored, "\(milliseconds)")
    }
  }

  @Test("the stored form of a route holds two hours at one fix a second in less than 30 kB")
  func size() throws {
    let route = WalkRoute(segments: [try TrackSamples.walk(count: 7200, seed: 42)])
    let count = route.encoded().count
    #expect(count < 30_000, "\(count) bytes")
  }

  @Test("the stored form of a route doesn't lengthen a walk by its rounding")
  func length() throws {
    let route = WalkRoute(segments: [try TrackSamples.walk(count: 7200, seed: 42)])
    let copy = try WalkRoute(decoding: route.encoded())
    #expect(abs(copy.distance / route.distance - 1) < 1e-6)
    #expect(copy.figures().movingTime == route.figures().movingTime)
  }

  @Test("the stored form of a route omits invalid numbers, and values out of range")
  func numbers() throws {
    var point = try TrackSamples.point(0, north: 0)
    point.elevation = .nan
    point.time = Date(timeIntervalSinceReferenceDate: 1e300)
    point.accuracy = .meters(-.infinity)
    let copy = try WalkRoute(decoding: WalkRoute(segments: [[point]]).encoded())
    let expected = TrackPoint(coordinate: try #require(copy.start).coordinate)
    #expect(copy.start == expected)
  }

  @Test("the stored form of a route is rejected at every length but its own")
  func cuts() throws {
    let bytes = WalkRoute(segments: [try TrackSamples.walk(count: 60, seed: 2), []]).encoded()
    for length in bytes.indices {
      #expect(throws: FieldError.self, "\(length) bytes") {
        try WalkRoute(decoding: Array(bytes[..<length]))
      }
    }
    #expect { try WalkRoute(decoding: bytes + [0]) } throws: {
      ($0 as? FieldError)?.code == .damaged
    }
  }

  @Test(
    "the stored form of a route with a wrong bit is a typed error or some route, never a crash",
    .heavy)
  func bits() throws {
    var walk = try TrackSamples.walk(count: 60, seed: 11)
    for index in stride(from: 0, to: 60, by: 7) { walk[index].time = nil }
    let bytes = WalkRoute(segments: [walk, try TrackSamples.walk(count: 5, seed: 12)]).encoded()
    for bit in Sample.of(0..<bytes.count * 8, 300) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      do {
        _ = try WalkRoute(decoding: damaged).figures()
      } catch let error as FieldError {
        #expect(error.code == .damaged || error.code == .newerFormat)
      }
    }
  }

  @Test(
    "the stored form of a route never crashes on invalid bytes",
    arguments: Sample.of(1...20 as ClosedRange<UInt64>, 4))
  func noise(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let length = Int.random(in: 0...80, using: &random)
      let bytes = [1] + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      do {
        _ = try WalkRoute(decoding: bytes)
      } catch {
        #expect(error is FieldError, "seed \(seed)")
      }
    }
  }

  @Test("the stored form of a route allocates no space for more points than there are bits")
  func bomb() {
    // One segment of 2⁶³ points.
    let bytes: [UInt8] = [1, 1] + Array(repeating: 0xFF, count: 8) + [0x7F, 0, 0, 0, 0, 0]
    #expect { try WalkRoute(decoding: bytes) } throws: { ($0 as? FieldError)?.code == .damaged }
  }

  @Test("the stored form of a route reports a later version")
  func later() {
    #expect { try WalkRoute(decoding: [2, 0]) } throws: {
      ($0 as? FieldError)?.code == .newerFormat
    }
    #expect { try WalkRoute(decoding: [0, 0]) } throws: { ($0 as? FieldError)?.code == .damaged }
    #expect { try WalkRoute(decoding: []) } throws: { ($0 as? FieldError)?.code == .damaged }
  }

  @Test(
    "the stored form of a route is different for coders, and lossless",
    arguments: 1...10 as ClosedRange<UInt64>)
  func codable(seed: UInt64) throws {
    let route = WalkRoute(segments: try TrackSamples.wild(seed: seed))
    let copy = try JSONDecoder().decode(WalkRoute.self, from: JSONEncoder().encode(route))
    #expect(copy == route, "seed \(seed)")
  }

  @Test(
    "the stored form of a route rejects an invalid route in a coder's form",
    arguments: [
      #"{"segments":[{"latitudes":[1],"longitudes":[1,2]}]}"#,
      #"{"segments":[{"latitudes":[91],"longitudes":[1]}]}"#,
      #"{"segments":[{"latitudes":[1],"longitudes":[1],"elevations":[]}]}"#, #"{}"#,
    ])
  func notCodable(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WalkRoute.self, from: Data(text.utf8))
    }
  }
}
