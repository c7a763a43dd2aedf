import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A simplified route")
struct RouteSimplifyingTests {
  /// The distance from a point to a line of the simplified route, measured in another way: in degrees
  /// turned into metres around the point.
  private func meters(_ point: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
    let sine = sin(point.latitude * .pi / 180)
    let w = (1 - 0.006_694_379_990_14 * sine * sine).squareRoot()
    let north = 6_378_137 * (1 - 0.006_694_379_990_14) / (w * w * w) * .pi / 180
    let east = 6_378_137 / w * cos(point.latitude * .pi / 180) * .pi / 180
    func flat(_ place: Coordinate) -> SIMD2<Double> {
      var degrees = place.longitude - point.longitude
      if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
      return SIMD2(degrees * east, (place.latitude - point.latitude) * north)
    }
    let (from, to) = (flat(start), flat(end))
    let way = to - from
    let length = (way * way).sum()
    let part = length > 0 ? min(max(-(from * way).sum() / length, 0), 1) : 0
    let off = from + way * part
    return (off * off).sum().squareRoot()
  }

  @Test(
    "a simplified route has every omitted point within the tolerance of its line",
    arguments: 1...12 as ClosedRange<UInt64>)
  func bound(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let walk = try TrackSamples.walk(
      count: 1500, seed: seed, latitude: .random(in: -84...84, using: &random),
      longitude: seed % 3 == 0 ? 179.999 : .random(in: -170...170, using: &random))
    let tolerance = Double.random(in: 0.5...30, using: &random)
    let simple = WalkRoute(segments: [walk]).simplified(within: .meters(tolerance)).segments[0]
    var place = 0
    for point in walk {
      if place + 1 < simple.count, point == simple[place + 1] { place += 1 }
      guard point != simple[place] else { continue }
      let off = meters(
        point.coordinate, simple[place].coordinate, simple[place + 1].coordinate)
      #expect(off <= tolerance * 1.001 + 1e-6, "seed \(seed)")
    }
    #expect(simple.count < walk.count, "seed \(seed)")
    #expect(place == simple.count - 1, "seed \(seed)")
  }

  @Test("a simplified route keeps the ends of each segment, and every segment")
  func ends() throws {
    let walk = try TrackSamples.walk(count: 90, seed: 5)
    let route = WalkRoute(segments: [walk, [], [walk[3]], Array(walk[..<2])])
    let simple = route.simplified(within: .kilometers(1000))
    #expect(simple.segments.map(\.count) == [2, 0, 1, 2])
    #expect((simple.start, simple.end) == (route.start, route.end))
    #expect(simple.segments[0].last == walk.last)
  }

  @Test("a simplified route with zero tolerance drops exactly the points on a line")
  func zero() throws {
    let equator = try (0...5).map {
      TrackPoint(coordinate: try Coordinate(latitude: 0, longitude: Double($0) / 1000))
    }
    let walk = try TrackSamples.walk(count: 50, seed: 6)
    #expect(WalkRoute(segments: [walk]).simplified(within: .zero).pointCount == 50)
    #expect(WalkRoute(segments: [equator]).simplified(within: .meters(0.001)).pointCount == 2)
    #expect(WalkRoute(segments: [walk]).simplified(within: .meters(.nan)).pointCount == 50)
  }

  @Test(
    "a simplified route handles a line that turns at every point without a deep stack", .heavy,
    .timeLimit(.minutes(60)))
  func worst() throws {
    // Ever longer zigzags: the farthest point is always next to the end.
    let count = Sample.rounds(3000, 800, inDebug: 400)
    let points = try (0..<count).map { index in
      let east = Double(index) / (index % 2 == 0 ? 10 : -10)
      return try TrackSamples.point(nil, north: Double(index), east: east)
    }
    #expect(WalkRoute(segments: [points]).simplified(within: .meters(5)).pointCount > count * 5 / 6)
  }

  @Test("a simplified route of a loop keeps the far side, though it ends where it began")
  func loop() throws {
    let points = try (0...36).map {
      let angle = Double($0) * .pi / 18
      return try TrackSamples.point(nil, north: 100 * sin(angle), east: 100 - 100 * cos(angle))
    }
    let simple = WalkRoute(segments: [points]).simplified(within: .meters(20))
    // Four chords would be off by 29 m, eight are by 8 m.
    #expect(simple.pointCount == 9)
  }

  @Test("a simplified route clips everything outside a place, and draws no line across")
  func clip() throws {
    let points = try (-10...10).map { try TrackSamples.point(nil, north: Double($0) * 20) }
    let route = WalkRoute(segments: [points])
    let home = try TrackSamples.place(north: 0)
    let clipped = route.clipped(around: home, radius: .meters(50))
    #expect(clipped.segments.map(\.count) == [8, 8])
    #expect(clipped.segments.joined().allSatisfy { $0.coordinate.distance(to: home) > .meters(50) })
    #expect(route.clipped(around: home, radius: .kilometers(1)).isEmpty)
    #expect(route.clipped(around: try TrackSamples.place(north: 900), radius: .meters(5)) == route)
  }

  @Test(
    "a simplified route is processed in runs of 4,096 points, so that no line takes quadratic time")
  func runs() throws {
    let points = try (0...9000).map { try TrackSamples.point(nil, north: Double($0)) }
    let simple = WalkRoute(segments: [points]).simplified(within: .meters(50))
    #expect(simple.segments[0] == [0, 4096, 8192, 9000].map { points[$0] })
  }
}
