/// The angle between two meridians, from 0 through 180 degrees, without the rounding of a
/// subtraction.
///
/// The trigonometric values are those of half the angle: the sine and cosine of the whole follow
/// from them with full relative precision, near both 0 and 180 degrees.
struct LongitudeDifference {
  /// The difference λ, in radians.
  let radians: Double
  /// π - λ, in radians, with full relative precision.
  let supplement: Double
  /// sin(λ / 2).
  let halfSine: Double
  /// cos(λ / 2), exactly 0 if the meridians are opposite.
  let halfCosine: Double

  /// sin λ.
  var sine: Double { 2 * halfSine * halfCosine }
  /// cos λ.
  var cosine: Double { (halfCosine - halfSine) * (halfCosine + halfSine) }

  /// Subtracts two longitudes from -180 through 360 degrees.
  init(from west: Double, to east: Double) {
    // Knuth's exact subtraction: `degrees + rest` is the difference to the last bit.
    var degrees = east - west
    let lost = east - degrees
    var rest = (east - (degrees + lost)) + (lost - west)
    // Subtracting 360 degrees is exact, because the result isn't larger.
    if degrees > 180 {
      degrees -= 360
    } else if degrees < -180 {
      degrees += 360
    }
    if degrees < 0 || (degrees == 0 && rest < 0) { (degrees, rest) = (-degrees, -rest) }
    if degrees == 180 && rest > 0 { rest = -rest }

    let perDegree = Double.pi / 180
    let opposite = (180 - degrees) - rest
    supplement = opposite * perDegree
    radians = (degrees + rest) * perDegree
    if degrees <= 90 {
      halfSine = Angle.sine(radians / 2)
      halfCosine = Angle.cosine(radians / 2)
    } else {
      halfSine = Angle.cosine(supplement / 2)
      halfCosine = Angle.sine(supplement / 2)
    }
  }
}
