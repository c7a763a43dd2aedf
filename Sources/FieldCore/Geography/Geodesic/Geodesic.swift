/// The shortest path between two points along the ellipsoid.
///
/// The implementation follows C. F. F. Karney, Algorithms for geodesics, Journal of Geodesy 87
/// (2013) 43–55, doi:10.1007/s00190-012-0578-z, which converges for every pair of points, even
/// antipodal ones, with an error of a few nanometers. It contains only the parts that the length
/// needs.
///
/// Below ``shortLimit``, a closed form is used, which needs no iteration and is exact to the last
/// digits however small the distance. At the limit, the two differ by a few nanometers at most, the
/// rounding error of the iteration.
package enum Geodesic {
  /// Returns the distance between two points in meters, which is identical in both directions, to
  /// the last bit.
  package static func meters(from first: GeodesicPoint, to second: GeodesicPoint) -> Double {
    // A pole is on every meridian, so also on the other point's, whatever its longitude.
    let isAtPole = first.cosine == 0 || second.cosine == 0
    let meridians = LongitudeDifference(
      from: first.longitude, to: isAtPole ? first.longitude : second.longitude)
    if let near = short(first, second, meridians) { return near }
    // By symmetry, the first point can be the one farther from the equator, in the southern
    // hemisphere.
    var (from, to) = (first, second)
    let latitudes = (abs(first.latitude), abs(second.latitude))
    if latitudes.0 < latitudes.1 || (latitudes.0 == latitudes.1 && first.latitude > second.latitude)
    {
      swap(&from, &to)
    }
    let sign = from.latitude > 0 ? -1.0 : 1.0
    let problem = InverseProblem(
      s1: -abs(from.sine), c1: from.cosine, s2: sign * to.sine, c2: to.cosine, meridians: meridians)
    return problem.solve()
  }

  /// (σ / 2)², the limit of the closed form: 25 km.
  private static let shortLimit = 4e-6

  /// Returns the distance of points near each other, in meters, or `nil` if they aren't.
  ///
  /// The chord d through the ellipsoid and the curvature κ of the surface at its middle in its
  /// direction form a circle, whose arc over the chord is the distance: its relative error was
  /// measured as e² σ⁴ / 157, which is 10⁻¹⁴ at the limit. With h = sin²(Δβ/2) + cos β₁ cos β₂
  /// sin²(Δλ/2), p the middle of the chord, and D = diag(1/a², 1/a², 1/b²), both follow without the
  /// cancellation of subtracting points in space: d² = 4 a² (h - e² cos²β sin²(Δβ/2)) and κ = 4 h
  /// √(1 - h) / (d² |D p|).
  private static func short(
    _ first: GeodesicPoint, _ second: GeodesicPoint, _ meridians: LongitudeDifference
  ) -> Double? {
    let cosines = first.cosine * second.cosine
    let sines = first.sine * second.sine
    let cosineOfDifference = cosines + sines
    guard cosineOfDifference > 1 - 2.1 * shortLimit else { return nil }
    let x = (second.latitude - first.latitude) * (.pi / 180)
    let square = x * x
    let sine = x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
    let sineOfDifference = WGS84.axisRatio * sine * (first.stretch * second.stretch)
    let latitudePart = sineOfDifference * sineOfDifference / (2 * (1 + cosineOfDifference))
    let longitudePart = cosines * (meridians.halfSine * meridians.halfSine)
    let h = latitudePart + longitudePart
    guard h < shortLimit else { return nil }

    let squaredMiddleCosine = (1 + (cosines - sines)) / 2
    let squaredHalfChord =
      h - WGS84.eccentricitySquared * squaredMiddleCosine * latitudePart  // over a²
    guard squaredHalfChord > 0 else { return 0 }
    let outward = first.cosine + second.cosine
    let upward = (first.sine + second.sine) / WGS84.axisRatio
    let squaredNormal = outward * outward - 4 * longitudePart + upward * upward  // times 4 a²
    // κ d / 2, squared, and the series of asin for it.
    let ratio = h / squaredHalfChord
    let y = 4 * ratio * h * (1 - h) / squaredNormal
    let arc = 1 + y * (1.0 / 6 + y * (3.0 / 40 + y * (5.0 / 112)))
    return 2 * WGS84.equatorialRadius * squaredHalfChord.squareRoot() * arc
  }
}

/// The ellipsoid of GPS and of nearly all published coordinates (NGA.STND.0036, World Geodetic
/// System 1984), which all distances of the package use.
enum WGS84 {
  /// The equatorial radius a, in meters (defining).
  static let equatorialRadius = 6_378_137.0
  /// The flattening f (defining).
  static let flattening = 1 / 298.257223563
  /// b / a = 1 - f.
  static let axisRatio = 1 - flattening
  /// The polar radius b, in meters.
  static let polarRadius = equatorialRadius * axisRatio
  /// The first eccentricity squared, e² = f (2 - f).
  static let eccentricitySquared = flattening * (2 - flattening)
  /// The second eccentricity squared, e'² = e² / (1 - f)².
  static let secondEccentricitySquared = eccentricitySquared / (axisRatio * axisRatio)
  /// The third flattening n = f / (2 - f).
  static let thirdFlattening = flattening / (2 - flattening)
  /// The greatest curvature of any geodesic: a / b², of the meridian at the equator.
  static let greatestCurvature = equatorialRadius / (polarRadius * polarRadius)
  /// An upper bound of all distances, in meters; the exact value is π b.
  static let longest = equatorialRadius * Double.pi
}
