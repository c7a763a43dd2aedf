/// A geodesic's image on the auxiliary sphere: an arc of a great circle from σ₁ to σ₂, both counted
/// from where the circle crosses the equator northward.
struct AuxiliaryArc {
  /// sin σ₁ and sin σ₂.
  let sines: SIMD2<Double>
  /// cos σ₁ and cos σ₂.
  let cosines: SIMD2<Double>
  /// σ₁₂ = σ₂ - σ₁, 0 to π.
  let length: Double

  /// Creates an arc from the legs of the two angles, which need not be normalized.
  init(sines: SIMD2<Double>, cosines: SIMD2<Double>) {
    let squares = sines * sines + cosines * cosines
    let lengths = SIMD2(squares.x.squareRoot(), squares.y.squareRoot())
    self.sines = sines / lengths
    self.cosines = cosines / lengths
    // Rounding may result in less than 0, or in -0 between the poles, for which atan2 returns -π.
    length = Angle.arctangent(
      max(0, self.cosines.x * self.sines.y - self.sines.x * self.cosines.y).magnitude,
      self.cosines.x * self.cosines.y + self.sines.x * self.sines.y)
  }

  /// Returns the length of the geodesic and its reduced length m₁₂, both over b (equations 7, 38 to
  /// 40).
  ///
  /// The reduced length is how far a second geodesic, begun in a slightly turned direction, ends
  /// from the first. Newton's method divides by it, and it is negative beyond the point up to which
  /// the geodesic is the shortest path.
  func lengths(_ series: GeodesicSeries) -> (distance: Double, reduced: Double) {
    let (a1, a2) = (series.a1, series.a2)
    let first = series.c1.difference(over: self)
    let second = series.c2.difference(over: self)
    let excess = (a1 - a2) * length + (a1 * first - a2 * second)
    let growth = 1 + series.squaredModulus * sines * sines
    let reduced =
      growth.y.squareRoot() * (cosines.x * sines.y) - growth.x.squareRoot() * (sines.x * cosines.y)
      - cosines.x * cosines.y * excess
    return (a1 * (length + first), reduced)
  }
}
