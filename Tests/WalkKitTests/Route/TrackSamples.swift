import FieldCore
import Foundation
import TestSupport

/// Tracks for tests, made up.
enum TrackSamples {
  static let start = Date(timeIntervalSince1970: 1_700_000_000)

  /// A place so many metres north and east of a field in Seoul, by the figures of the ellipsoid there.
  static func place(north: Double, east: Double = 0) throws -> Coordinate {
    try Coordinate(latitude: 37.5 + north / 110_990.6, longitude: 127 + east / 88_399.8)
  }

  static func point(
    _ second: Double?, north: Double, east: Double = 0, elevation: Double? = nil,
    accuracy: Double? = nil
  ) throws -> TrackPoint {
    TrackPoint(
      coordinate: try place(north: north, east: east), elevation: elevation,
      time: second.map { start.addingTimeInterval($0) }, accuracy: accuracy.map(Distance.meters))
  }

  /// A walk as a receiver gives it, one fix a second: smooth turns, small steps, a trembling elevation.
  static func walk(
    count: Int, seed: UInt64, latitude: Double = 37.5, longitude: Double = 127
  ) throws -> [TrackPoint] {
    var random = SeededGenerator(seed: seed)
    var (latitude, longitude, heading, elevation) = (latitude, longitude, 0.0, 40.0)
    var accuracy = 5.0
    return try (0..<count).map { second in
      heading += Double.random(in: -0.3...0.3, using: &random)
      let step = 1.4 + Double.random(in: -0.4...0.4, using: &random)
      latitude += step * cos(heading) / 111_000
      longitude += step * sin(heading) / 88_400
      elevation += Double.random(in: -0.15...0.15, using: &random)
      if second % 10 == 0 { accuracy = Double.random(in: 3...8, using: &random) }
      return TrackPoint(
        coordinate: try Coordinate(latitude: latitude, longitude: longitude),
        elevation: elevation, time: start.addingTimeInterval(Double(second)),
        accuracy: .meters(accuracy))
    }
  }

  /// A track with whatever can be in one.
  static func wild(seed: UInt64) throws -> [[TrackPoint]] {
    var random = SeededGenerator(seed: seed)
    return try (0..<Int.random(in: 0...4, using: &random)).map { _ in
      try (0..<Int.random(in: 0...200, using: &random)).map { _ in
        TrackPoint(
          coordinate: try Coordinate(
            latitude: .random(in: -90...90, using: &random),
            longitude: .random(in: -180...360, using: &random)),
          elevation: Bool.random(using: &random)
            ? .random(in: -500...9000, using: &random) : nil,
          time: Bool.random(using: &random)
            ? Date(timeIntervalSince1970: .random(in: -1e10...1e10, using: &random)) : nil,
          accuracy: Bool.random(using: &random)
            ? .meters(.random(in: 0...3000, using: &random)) : nil)
      }
    }
  }
}
