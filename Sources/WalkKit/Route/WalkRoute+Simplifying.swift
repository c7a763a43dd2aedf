public import FieldCore

extension WalkRoute {
  /// Returns the route with fewer points, such that no removed point is farther from it than a
  /// tolerance.
  ///
  /// The method uses the Douglas–Peucker algorithm: the point farthest from a line is kept if it is
  /// beyond the tolerance, and then both halves are processed. Each segment keeps its first and
  /// last point, and points keep all of their properties. In a long segment, every 4,096th point is
  /// also kept, which bounds the cost of the worst case. On a map, a tolerance of 5 m is hardly
  /// visible and leaves a sixth of the points of a recorded walk.
  ///
  /// Distances are measured in the plane that touches the earth in the middle of each line, so the
  /// bound holds everywhere, including at the poles and across the antimeridian. It applies to the
  /// shape; a time that is interpolated on the simplified route can be off by more.
  ///
  /// - Parameter tolerance: The largest deviation of a removed point. If it is zero or less, only
  ///   points exactly on a line are removed.
  public func simplified(within tolerance: Distance) -> WalkRoute {
    WalkRoute(
      segments: segments.map { segment in
        let meters = tolerance.meters > 0 ? tolerance.meters : 0
        return Simplification.kept(of: segment, within: meters).map { segment[$0] }
      })
  }
}

/// The Douglas–Peucker algorithm with an explicit stack, so that a track can have any length.
private enum Simplification {
  /// The length at which lines are cut first, because the worst case is quadratic in the number of
  /// points.
  private static let mostPoints = 4_096

  /// Returns the indices of the points to keep, in order.
  static func kept(of segment: [TrackPoint], within tolerance: Double) -> [Int] {
    guard segment.count > 2 else { return Array(segment.indices) }
    let places = segment.map { GeodesicPoint($0.coordinate).position }
    var isKept = [Bool](repeating: false, count: places.count)
    isKept[0] = true
    isKept[places.count - 1] = true
    var open: [(first: Int, last: Int)] = []
    for first in stride(from: 0, to: places.count - 1, by: mostPoints) {
      let last = min(first + mostPoints, places.count - 1)
      isKept[last] = true
      open.append((first, last))
    }
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let line = GroundLine(places[first], places[last])
      var farthest = (index: first, squared: tolerance * tolerance)
      for index in first + 1..<last {
        let squared = line.squaredDistance(to: places[index])
        if squared > farthest.squared { farthest = (index, squared) }
      }
      guard farthest.index > first else { continue }
      isKept[farthest.index] = true
      open.append((first, farthest.index))
      open.append((farthest.index, last))
    }
    return isKept.indices.filter { isKept[$0] }
  }
}

/// A straight line between two places on the ground, which ignores heights above or below the plane
/// that touches the ellipsoid in its middle.
struct GroundLine {
  private let start: SIMD3<Double>
  private let way: SIMD3<Double>
  private let squaredLength: Double
  private let up: SIMD3<Double>

  /// Creates a line between two points in space, such as `GeodesicPoint.position`.
  init(_ start: SIMD3<Double>, _ end: SIMD3<Double>) {
    // The normal of the ellipsoid x² + y² + (1 + e'²) z² = a², where e'² is 0.00673949674.
    var normal = (start + end) * SIMD3(1, 1, 1.006_739_496_74)
    let length = (normal * normal).sum().squareRoot()
    if length > 0 { normal /= length }
    up = normal
    self.start = start
    way = Self.flat(end - start, normal)
    squaredLength = (way * way).sum()
  }

  private static func flat(_ vector: SIMD3<Double>, _ up: SIMD3<Double>) -> SIMD3<Double> {
    vector - up * (vector * up).sum()
  }

  /// Returns the square of the distance to the line, including its ends, in square meters.
  func squaredDistance(to place: SIMD3<Double>) -> Double {
    let there = Self.flat(place - start, up)
    var part = squaredLength > 0 ? (there * way).sum() / squaredLength : 0
    part = min(max(part, 0), 1)
    let off = there - way * part
    return (off * off).sum()
  }
}
