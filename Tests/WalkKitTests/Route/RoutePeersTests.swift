import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

/// Made-up tracks of all parts of the earth, against Python's packages where they are installed.
@Suite("A route compared with Python's packages")
struct RoutePeersTests {
  private static let hasGeographicLib =
    (try? Tool.run("python3", "-c", "import geographiclib")) != nil
  private static let hasPolyline = (try? Tool.run("python3", "-c", "import polyline")) != nil

  private func tracks(_ seed: UInt64) throws -> [[TrackPoint]] {
    var random = SeededGenerator(seed: seed)
    let walks = try (0..<4).map { part in
      try TrackSamples.walk(
        count: 200, seed: seed * 10 + UInt64(part),
        latitude: .random(in: -89...89, using: &random),
        longitude: part == 0 ? 179.999 : .random(in: -180...180, using: &random))
    }
    return try walks + TrackSamples.wild(seed: seed)
  }

  /// The segments as lists of latitude and longitude.
  private func json(_ segments: [[TrackPoint]]) throws -> Data {
    try JSONEncoder().encode(
      segments.map { $0.map { [$0.coordinate.latitude, $0.coordinate.longitude] } })
  }

  @Test(
    "a route has the length that geographiclib measures, to a billionth",
    .enabled(if: hasGeographicLib, "Python has no geographiclib"),
    arguments: Sample.of(1...6 as ClosedRange<UInt64>, inDebug: 2))
  func length(seed: UInt64) throws {
    let program = """
      import sys, json
      from math import fsum
      from geographiclib.geodesic import Geodesic
      for s in json.load(sys.stdin):
        print(fsum(Geodesic.WGS84.Inverse(*a, *b)['s12'] for a, b in zip(s, s[1:])))
      """
    let segments = try tracks(seed)
    let output = try Tool.run("python3", "-c", program, input: json(segments))
    let lengths = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap {
      Double($0)
    }
    #expect(lengths.count == segments.count)
    for (segment, length) in zip(segments, lengths) {
      let meters = WalkRoute(segments: [segment]).figures().distance.meters
      #expect(abs(meters - length) <= length * 1e-9, "seed \(seed)")
    }
  }

  @Test(
    "a route has the polylines that Python's polyline writes, at both precisions", .heavy,
    .enabled(if: hasPolyline, "Python has no polyline"),
    arguments: Sample.of(1...6 as ClosedRange<UInt64>, 1), [EncodedPolyline.Precision.five, .six])
  func polylines(seed: UInt64, precision: EncodedPolyline.Precision) throws {
    let program = """
      import sys, json, polyline
      for s in json.load(sys.stdin): print(polyline.encode(s, \(precision.rawValue)))
      """
    let segments = try tracks(seed).filter { !$0.isEmpty }
    let output = try Tool.run("python3", "-c", program, input: json(segments))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(
      WalkRoute(segments: segments).polylines(precision: precision).map(\.text) == lines,
      "seed \(seed)")
  }
}
