extension InverseProblem {
  /// Returns an initial azimuth, so good that two or three trials are enough.
  func startingAzimuth() -> Azimuth {
    let (halfSine, halfCosine) = (meridians.halfSine, meridians.halfCosine)
    let legs = sphericalLegs(halfSine: halfSine, halfCosine: halfCosine)
    let sine = (legs.x * legs.x + legs.y * legs.y).squareRoot()
    let cosine = s1 * s2 + c1 * c2 * meridians.cosine
    // 6 n π cos²β₁ is wider than the region around the antipode in which spheres are misleading.
    if cosine < 0 && sine < 6 * WGS84.thirdFlattening * .pi * c1 * c1 { return antipodalStart() }
    // From the great circle over λ₁₂ to the one over a first estimate of ω₁₂ (equation 8 with A₃
    // alone). The difference is at most f π, so a few terms of its sine and cosine are enough.
    let equatorSine = c1 * legs.x / sine
    let series = GeodesicSeries(
      squaredModulus: WGS84.secondEccentricitySquared * (1 - equatorSine * equatorSine))
    let widening =
      WGS84.flattening * series.a3 * equatorSine * Angle.arctangent(sine, cosine) / 2
    let square = widening * widening
    let (s, c) = (widening * (1 - square / 6), 1 - square / 2 * (1 - square / 12))
    let widened = sphericalLegs(
      halfSine: halfSine * c + halfCosine * s, halfCosine: halfCosine * c - halfSine * s)
    return widened.x > 0
      ? Azimuth(legs: widened.x, widened.y) : Azimuth(sine: 1, cosine: 0)
  }

  /// Returns the legs of α₁ on a sphere (equation 49) for half a difference of longitudes.
  private func sphericalLegs(halfSine: Double, halfCosine: Double) -> SIMD2<Double> {
    let east = c2 * (2 * halfSine * halfCosine)
    let north =
      halfCosine > halfSine
      ? (s2 * c1 - c2 * s1) + 2 * c2 * s1 * halfSine * halfSine
      : (s2 * c1 + c2 * s1) - 2 * c2 * s1 * halfCosine * halfCosine
    return SIMD2(east, north)
  }

  /// Returns the initial azimuth for nearly antipodal points (section 5): seen from the antipode of
  /// the first point, the geodesics envelop an astroid, and the second point lies at x, y in its
  /// plane.
  private func antipodalStart() -> Azimuth {
    let series = GeodesicSeries(squaredModulus: WGS84.secondEccentricitySquared * s1 * s1)
    let scale = WGS84.flattening * c1 * series.a3 * .pi
    let x = -meridians.supplement / scale
    let sineOfSum = s2 * c1 + c2 * s1
    let y = sineOfSum / (scale * c1)
    if y > -200 * .ulpOfOne && x > -1 - 1000 * Double.ulpOfOne.squareRoot() {
      // On the astroid's axis, the general formula divides zero by zero.
      let sine = min(1, -x)
      return Azimuth(sine: sine, cosine: -(1 - sine * sine).squareRoot())
    }
    let k = Self.astroid(x, y)
    // The spherical longitude, whose supplement is small, determines the azimuth.
    let supplement = scale * (-x * k / (1 + k))
    let legs = sphericalLegs(
      halfSine: Angle.cosine(supplement / 2), halfCosine: Angle.sine(supplement / 2))
    return legs.x > 0 ? Azimuth(legs: legs.x, legs.y) : Azimuth(sine: 1, cosine: 0)
  }

  /// Returns the positive root k of x² / (1 + k)² + y² / k² = 1, the quartic of equation 55 before
  /// its fractions are cleared.
  ///
  /// The left side decreases with k and is convex, so Newton's method from the left never
  /// overshoots.
  private static func astroid(_ x: Double, _ y: Double) -> Double {
    var k = max(abs(y), abs(x) - 1)
    for _ in 0..<20 {
      let (across, along) = (x / (1 + k), y / k)
      let (p, q) = (across * across, along * along)
      let step = (p + q - 1) / (2 * (p / (1 + k) + q / k))
      k += step
      if step < 1e-7 * k { break }
    }
    return k
  }
}
