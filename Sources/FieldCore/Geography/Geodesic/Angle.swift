private import FieldLibc

/// The functions of angles, so that only this file imports the C library for them.
package enum Angle {
  @inline(__always)
  package static func sine(_ radians: Double) -> Double { sin(radians) }

  @inline(__always)
  package static func cosine(_ radians: Double) -> Double { cos(radians) }

  @inline(__always)
  package static func arcsine(_ sine: Double) -> Double { asin(sine) }

  /// Returns the latitude on a sphere of a height in the Mercator projection, in radii.
  package static func gudermannian(_ height: Double) -> Double { atan(sinh(height)) }

  /// Returns the angle of two legs, from -π through π.
  @inline(__always)
  static func arctangent(_ sine: Double, _ cosine: Double) -> Double { atan2(sine, cosine) }

  /// Returns the sine and cosine of an angle of at most ±360 degrees, exact at multiples of 90
  /// degrees and with full relative precision next to them, unlike radians.
  static func sineAndCosine(ofDegrees degrees: Double) -> (sine: Double, cosine: Double) {
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
}
