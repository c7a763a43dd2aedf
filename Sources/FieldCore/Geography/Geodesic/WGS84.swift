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
