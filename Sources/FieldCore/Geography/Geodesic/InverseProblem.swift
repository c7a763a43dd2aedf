/// Two points whose distance is sought, moved into the position of the paper's section 4: β₁ ≤ 0,
/// β₁ ≤ β₂ ≤ -β₁, 0 ≤ λ₁₂ ≤ π.
///
/// The unknown is the azimuth α₁ at the first point. Every α₁ has a geodesic that reaches the
/// latitude of the second point at a longitude λ(α₁), which increases with α₁; Newton's method,
/// held within a bracket, finds the α₁ whose longitude is that of the second point.
struct InverseProblem {
  /// sin β₁ and cos β₁.
  let s1, c1: Double
  /// sin β₂ and cos β₂.
  let s2, c2: Double
  let meridians: LongitudeDifference

  /// Returns the distance in meters.
  func solve() -> Double {
    if c1 == 0 || meridians.sine == 0, let meters = alongMeridian() { return meters }
    if s1 == 0 && meridians.supplement >= WGS84.flattening * .pi {
      return WGS84.equatorialRadius * meridians.radians
    }
    return solveForAzimuth()
  }

  /// Returns the distance along the meridians of the two points, or `nil` if that isn't the
  /// shortest path, as between nearly antipodal points.
  private func alongMeridian() -> Double? {
    let arc = AuxiliaryArc(
      sines: SIMD2(s1, s2), cosines: SIMD2(meridians.cosine * c1, c2))
    let series = GeodesicSeries(squaredModulus: WGS84.secondEccentricitySquared)
    let lengths = arc.lengths(series)
    guard arc.length < 1 || lengths.reduced >= 0 else { return nil }
    return WGS84.polarRadius * lengths.distance
  }

  private func solveForAzimuth() -> Double {
    var azimuth = startingAzimuth()
    // λ is too small at `low` and too large at `high`.
    var low = Azimuth(sine: .leastNormalMagnitude, cosine: 1)
    var high = Azimuth(sine: .leastNormalMagnitude, cosine: -1)
    var trial = Trial(azimuth, of: self)
    for round in 0..<90 {
      let missing = -trial.error
      let turn = missing / trial.slope
      if trial.slope > 0 && trial.slope.isFinite {
        // By Clairaut, the distance grows with λ at fixed latitudes by a cos β₁ sin α₁. Together
        // with the derivative of that, this covers the last, tiny part of the distance; the omitted
        // term is of the third order.
        if turn * turn * max(abs(turn), abs(missing)) < 1e-17 {
          let onward = azimuth.sine * missing + azimuth.cosine * turn * missing / 2
          return trial.meters + WGS84.equatorialRadius * c1 * onward
        }
      }
      if missing < 0, round > 20 || azimuth.cotangent > high.cotangent { high = azimuth }
      if missing > 0, round > 20 || azimuth.cotangent < low.cotangent { low = azimuth }
      if missing == 0 { break }
      if round < 20, trial.slope > 0, trial.slope.isFinite,
        let next = azimuth.turned(by: turn)
      {
        azimuth = next
      } else {
        azimuth = Azimuth(legs: (low.sine + high.sine) / 2, (low.cosine + high.cosine) / 2)
        if azimuth.isNear(low) || azimuth.isNear(high) { break }
      }
      trial = Trial(azimuth, of: self)
    }
    return trial.meters - WGS84.equatorialRadius * c1 * azimuth.sine * trial.error
  }
}

/// A direction between north (0) and south (π) by way of east.
struct Azimuth {
  let sine: Double
  let cosine: Double

  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// Creates an azimuth from the legs of its triangle.
  init(legs sine: Double, _ cosine: Double) {
    let length = (sine * sine + cosine * cosine).squareRoot()
    self.init(sine: sine / length, cosine: cosine / length)
  }

  var cotangent: Double { cosine / sine }

  /// Returns the azimuth turned clockwise, or `nil` if that leaves the half circle.
  func turned(by angle: Double) -> Azimuth? {
    guard abs(angle) < .pi else { return nil }
    let (s, c) = (Angle.sine(angle), Angle.cosine(angle))
    let turned = sine * c + cosine * s
    return turned > 0 ? Azimuth(legs: turned, cosine * c - sine * s) : nil
  }

  func isNear(_ other: Azimuth) -> Bool {
    abs(sine - other.sine) + abs(cosine - other.cosine) < 4e-16
  }
}

extension InverseProblem {
  /// A geodesic that begins at an azimuth and ends at the latitude of the second point.
  struct Trial {
    /// The excess of its longitude there, in radians.
    let error: Double
    /// The derivative of that error by the azimuth.
    let slope: Double
    /// The length of the geodesic, in meters.
    let meters: Double

    init(_ azimuth: Azimuth, of problem: InverseProblem) {
      let (s1, c1, s2, c2) = (problem.s1, problem.c1, problem.s2, problem.c2)
      // Equations 5, 45, 11, and 12: the great circle through the first point in this direction.
      let equatorSine = azimuth.sine * c1
      let lean = azimuth.sine * s1
      let squaredEquatorCosine = azimuth.cosine * azimuth.cosine + lean * lean
      let along = azimuth.cosine * c1
      let widening = c1 < -s1 ? (c2 - c1) * (c1 + c2) : (s1 - s2) * (s1 + s2)
      // cos α₂ cos β₂; if the latitudes are equal, without the rounding of the root.
      let onward =
        c1 == c2 && abs(s2) == -s1
        ? abs(along) : (along * along + max(0, widening)).squareRoot()
      let arc = AuxiliaryArc(sines: SIMD2(s1, s2), cosines: SIMD2(along, onward))

      // The difference ω₁₂ of longitudes on the sphere minus λ₁₂ on the ellipsoid, as one angle, so
      // that nothing cancels.
      let (o1, o2) = (equatorSine * s1, equatorSine * s2)
      let sine = max(0, along * o2 - o1 * onward)
      let cosine = along * onward + o1 * o2
      let (wantedSine, wantedCosine) = (problem.meridians.sine, problem.meridians.cosine)
      let ahead = Angle.arctangent(
        sine * wantedCosine - cosine * wantedSine, cosine * wantedCosine + sine * wantedSine)

      // Equations 8 and 23: from the sphere to the ellipsoid.
      let series = GeodesicSeries(
        squaredModulus: WGS84.secondEccentricitySquared * squaredEquatorCosine)
      let third = series.a3 * (arc.length + series.c3.difference(over: arc))
      error = ahead - WGS84.flattening * equatorSine * third
      let lengths = arc.lengths(series)
      meters = WGS84.polarRadius * lengths.distance
      // Equation 46, and its limit where the geodesic touches the second parallel.
      if onward == 0 {
        let growth = (1 + WGS84.secondEccentricitySquared * s1 * s1).squareRoot()
        slope = -2 * WGS84.axisRatio * growth / s1
      } else {
        slope = WGS84.axisRatio * lengths.reduced / onward
      }
    }
  }
}

// MARK: - Start

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
