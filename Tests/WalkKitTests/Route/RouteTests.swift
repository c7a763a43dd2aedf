import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A route")
struct RouteTests {
  @Test("a route knows its ends, its count, and its box; one without points has none")
  func parts() throws {
    let points = try [0.0, 10, 20].map { try TrackSamples.point(nil, north: $0) }
    let route = WalkRoute(segments: [[], points, [], [points[0]], []])
    #expect((route.pointCount, route.isEmpty) == (4, false))
    #expect((route.start, route.end) == (points[0], points[0]))
    #expect(route.bounds == GeoBox(enclosing: points.map(\.coordinate)))
    let empty = WalkRoute(segments: [[], []])
    #expect((empty.pointCount, empty.isEmpty) == (0, true))
    #expect((empty.start, empty.end) == (nil, nil))
    #expect(empty.bounds == nil)
    #expect(empty.distance == .zero)
  }

  @Test("a route has a narrow box across the antimeridian")
  func bounds() throws {
    let points = try [179.9, -179.9].map {
      TrackPoint(coordinate: try Coordinate(latitude: 1, longitude: $0))
    }
    #expect(abs(try #require(WalkRoute(segments: [points]).bounds).longitudeSpan - 0.2) < 1e-9)
  }

  @Test("a route of several tracks has all their segments, and the length of both")
  func tracks() throws {
    let walk = try TrackSamples.walk(count: 50, seed: 1)
    let tracks = [Track(name: "a", segments: [walk, []]), Track(segments: [walk])]
    let route = WalkRoute(tracks: tracks)
    #expect(route == WalkRoute(segments: [walk, [], walk]))
    #expect(WalkRoute(track: tracks[0]).segments == tracks[0].segments)
    #expect(abs(route.distance / WalkRoute(track: tracks[1]).distance - 2) < 1e-12)
    #expect(abs((route.figures().distance - route.distance).meters) < 1e-9)
  }
}
