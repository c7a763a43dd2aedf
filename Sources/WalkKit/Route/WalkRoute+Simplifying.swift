public import FieldCore

extension WalkRoute {
  /// A route with fewer points, from which no point that was left out lies farther than a distance.
  ///
  /// It is Douglas and Peucker's way: of a line the point farthest from it is kept when it is farther than
  /// the tolerance, and then both halves are looked at. Each segment keeps its first and last point, and
  /// the points that are kept keep all they have; of a long segment each 4,096th point stays as well, which
  /// bounds what the worst line costs. For a map 5 m are hardly seen and leave a sixth of the
  /// points of a recorded walk.
  ///
  /// Distances are measured in the plane that touches the earth in the middle of each line, so the bound
  /// holds everywhere, at the poles and across the antimeridian among it. It is of the shape: a time that
  /// is interpolated on the simplified route can be off by more.
  ///
  /// - Parameter tolerance: what a point may be off; at zero or less only points exactly on a line go.
  public func simplified(within tolerance: Distance) -> WalkRoute {
    WalkRoute(
      segments: segments.map { segment in
        let meters = tolerance.meters > 0 ? tolerance.meters : 0
        return Simplification.kept(of: segment, within: meters).map { segment[$0] }
      })
  }
}

/// Douglas and Peucker's choice of points, with a stack of its own: a track can be as long as it likes.
private enum Simplification {
  /// Longer lines are cut there first, since the worst line takes the square of its points.
  private static let mostPoints = 4_096

  /// The indices of the points that stay, in order.
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

/// A straight line between two places, as it lies on the ground: heights above and below the plane that
/// touches the ellipsoid in its middle do not count.
struct GroundLine {
  private let start: SIMD3<Double>
  private let way: SIMD3<Double>
  private let squaredLength: Double
  private let up: SIMD3<Double>

  /// Makes a line between two points in space, such as `GeodesicPoint.position`.
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

  /// The square of the distance to the line, ends included, in square metres.
  func squaredDistance(to place: SIMD3<Double>) -> Double {
    let there = Self.flat(place - start, up)
    var part = squaredLength > 0 ? (there * way).sum() / squaredLength : 0
    part = min(max(part, 0), 1)
    let off = there - way * part
    return (off * off).sum()
  }
}
