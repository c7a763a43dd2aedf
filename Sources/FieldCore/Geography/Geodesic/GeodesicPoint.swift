#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

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
    let (sine, cosine) = sineAndCosine(ofDegrees: coordinate.latitude)
    let flattened = WGS84.axisRatio * sine
    let stretch = 1 / (flattened * flattened + cosine * cosine).squareRoot()
    // A latitude whose square would underflow counts as the equator.
    self.sine = abs(flattened) < 1e-100 ? 0 : flattened * stretch
    self.cosine = cosine * stretch
    self.stretch = stretch
  }

  /// The point in space, in meters from the center of the earth: x towards 0° E, z towards north.
  package var position: SIMD3<Double> {
    let (sineOfLongitude, cosineOfLongitude) = sineAndCosine(ofDegrees: longitude)
    let radius = WGS84.equatorialRadius * cosine
    return SIMD3(
      radius * cosineOfLongitude, radius * sineOfLongitude, WGS84.polarRadius * sine)
  }
}

/// Returns the sine and cosine of an angle of at most ±360 degrees, exact at multiples of 90
/// degrees and with full relative precision next to them, unlike radians.
func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
  let quarters = (degrees / 90).rounded()
  // This is exact: the quotient is small, and the subtracted numbers are close to each other.
  let radians = (degrees - quarters * 90) * (.pi / 180)
  let (sine, cosine) = (sin(radians), cos(radians))
  switch Int(quarters) & 3 {
  case 0: return (sine, cosine)
  case 1: return (cosine, -sine)
  case 2: return (-sine, -cosine)
  default: return (-cosine, sine)
  }
}
