/// A coordinate with the values that every distance from it needs, computed once.
///
/// The reduced latitude β, tan β = (1 - f) tan φ, places the point on the auxiliary sphere on which
/// geodesics become great circles.
package struct GeodesicPoint: Sendable, Hashable {
  /// The latitude φ, in degrees.
  let latitude: Double
  /// The longitude as given, in degrees.
  let longitude: Double
  /// sin β.
  let sine: Double
  /// cos β, exactly 0 at the poles and nowhere else.
  let cosine: Double
  /// 1 / √((1 - f)² sin²φ + cos²φ), which turns differences of φ into differences of β.
  let stretch: Double

  /// Creates a point from a coordinate.
  package init(_ coordinate: Coordinate) {
    latitude = coordinate.latitude
    longitude = coordinate.longitude
    let (sine, cosine) = Angle.sineAndCosine(ofDegrees: coordinate.latitude)
    let flattened = WGS84.axisRatio * sine
    let stretch = 1 / (flattened * flattened + cosine * cosine).squareRoot()
    // A latitude whose square would underflow counts as the equator.
    self.sine = abs(flattened) < 1e-100 ? 0 : flattened * stretch
    self.cosine = cosine * stretch
    self.stretch = stretch
  }

  /// The point in space, in meters from the center of the earth: x towards 0° E, z towards north.
  package var position: SIMD3<Double> {
    let (sineOfLongitude, cosineOfLongitude) = Angle.sineAndCosine(ofDegrees: longitude)
    let radius = WGS84.equatorialRadius * cosine
    return SIMD3(
      radius * cosineOfLongitude, radius * sineOfLongitude, WGS84.polarRadius * sine)
  }
}
