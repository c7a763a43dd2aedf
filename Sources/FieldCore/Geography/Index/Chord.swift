/// The bounds that the straight line c through the ellipsoid between two points sets on their
/// distance s.
///
/// Three theorems hold for all pairs:
/// - c ≤ s: the straight line is the shortest of all.
/// - b θ ≤ s, with θ the angle of the points at the center: moving points inward onto the sphere of
///   radius b, which lies within the ellipsoid, makes no curve longer.
/// - s ≤ (2 / κ) asin(κ c / 2), with κ the greatest curvature of any geodesic, for lengths up to π
///   / κ (Schur's comparison with a circle of curvature κ).
///
/// A slack of one micrometer covers all rounding.
enum Chord {
  private static let slack = 1e-6

  /// Returns the square of the chord between two places.
  @inline(__always)
  static func squared(_ place: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    let line = place - other
    return (line * line).sum()
  }

  /// Returns whether two points with this squared chord are at most a distance apart. A geodesic is computed only near
  /// the edge.
  static func isWithin(
    _ distance: Double, _ squaredChord: Double, from here: GeodesicPoint, to point: GeodesicPoint
  ) -> Bool {
    greatestDistance(squaredChord.squareRoot()) <= distance
      || Geodesic.meters(from: here, to: point) <= distance
  }

  /// Returns a distance that two points with this chord never exceed.
  static func greatestDistance(_ chord: Double) -> Double {
    let x = WGS84.greatestCurvature / 2 * chord
    // Beyond this, half of the circle is near. Any two points with a shorter chord are less than π
    // / κ apart, as the theorem requires: their angle at the center is below 130°.
    guard x < 0.9 else { return WGS84.longest }
    // asin x ≤ x + x³ / 5 up to one half, without the call.
    let arc = x < 0.5 ? chord * (1 + x * x / 5) : Angle.arcsine(x) * 2 / WGS84.greatestCurvature
    return arc * (1 + 1e-12) + slack
  }

  /// Returns a chord that points at most this distance apart never exceed.
  static func greatest(for distance: Double) -> Double {
    let straight = distance * (1 + 1e-12) + slack
    guard distance > 1_000_000 else { return straight }
    // From b θ ≤ s: c² = (r₁ - r₂)² + 4 r₁ r₂ sin²(θ / 2), with radii between b and a.
    let half = min(straight / WGS84.polarRadius / 2, .pi / 2)
    let (difference, across) = (
      WGS84.equatorialRadius - WGS84.polarRadius, 2 * WGS84.equatorialRadius * Angle.sine(half)
    )
    return min(straight, (difference * difference + across * across).squareRoot() + slack)
  }

  /// Returns a difference of latitudes, in degrees, that points at most this distance apart never exceed.
  ///
  /// No path is shorter than the part of a meridian between its latitudes, whose curvature is κ at most.
  static func greatestLatitudeDifference(for distance: Double) -> Double {
    (distance * (1 + 1e-12) + slack) * WGS84.greatestCurvature * 180 / .pi
  }
}
