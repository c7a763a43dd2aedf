/// The series of the paper, to order 6, for one geodesic.
///
/// C. F. F. Karney, Algorithms for geodesics, Journal of Geodesy 87 (2013) 43–55,
/// doi:10.1007/s00190-012-0578-z: each series names its equation. Their small parameter is ε, at
/// most 0.0017 on the earth, so the omitted terms are smaller than the rounding.
struct GeodesicSeries {
  /// k² = e'² cos²α₀, where α₀ is the azimuth at which the geodesic crosses the equator.
  let squaredModulus: Double
  /// ε = (√(1 + k²) - 1) / (√(1 + k²) + 1), equation 16.
  let epsilon: Double

  init(squaredModulus: Double) {
    self.squaredModulus = squaredModulus
    let root = (1 + squaredModulus).squareRoot()
    epsilon = squaredModulus / (2 * (1 + root) + squaredModulus)
  }

  /// A₁, equation 17.
  var a1: Double {
    let square = epsilon * epsilon
    return (1 + square * (1.0 / 4 + square * (1.0 / 64 + square / 256))) / (1 - epsilon)
  }

  /// C₁, equation 18.
  var c1: SineSeries {
    let e = epsilon
    let square = e * e
    let cube = square * e
    let fourth = square * square
    return SineSeries(
      c1: e * (-1.0 / 2 + square * (3.0 / 16 - square / 32)),
      c2: square * (-1.0 / 16 + square * (1.0 / 32 - square * (9.0 / 2048))),
      c3: cube * (-1.0 / 48 + square * (3.0 / 256)),
      c4: fourth * (-5.0 / 512 + square * (3.0 / 512)),
      c5: fourth * e * (-7.0 / 1280),
      c6: fourth * square * (-7.0 / 2048))
  }

  /// A₂, equation 42.
  var a2: Double {
    let square = epsilon * epsilon
    return (1 - epsilon) * (1 + square * (1.0 / 4 + square * (9.0 / 64 + square * (25.0 / 256))))
  }

  /// C₂, equation 43.
  var c2: SineSeries {
    let e = epsilon
    let square = e * e
    let cube = square * e
    let fourth = square * square
    return SineSeries(
      c1: e * (1.0 / 2 + square * (1.0 / 16 + square / 32)),
      c2: square * (3.0 / 16 + square * (1.0 / 32 + square * (35.0 / 2048))),
      c3: cube * (5.0 / 48 + square * (5.0 / 256)),
      c4: fourth * (35.0 / 512 + square * (7.0 / 512)),
      c5: fourth * e * (63.0 / 1280),
      c6: fourth * square * (77.0 / 2048))
  }

  /// A₃, equation 24.
  var a3: Double {
    let (e, n) = (epsilon, WGS84.thirdFlattening)
    let second = -1.0 / 4 - n / 8 + n * n * (3.0 / 8)
    let third = -1.0 / 16 - n * (3.0 / 16) - n * n / 16
    let fourth = -3.0 / 64 - n / 32
    return 1 + e * ((n - 1) / 2 + e * (second + e * (third + e * (fourth - e * (3.0 / 128)))))
  }

  /// C₃, equation 25.
  var c3: SineSeries {
    let (e, n) = (epsilon, WGS84.thirdFlattening)
    let n2 = n * n
    let square = e * e
    let fourth = square * square
    let one1 = (1 - n) / 4
    let one2 = (1 - n2) / 8
    let one3 = 3.0 / 64 + n * (3.0 / 64) - n2 / 64
    let one4 = 5.0 / 128 + n / 64
    let two2 = 1.0 / 16 - n * (3.0 / 32) + n2 / 32
    let two3 = 3.0 / 64 - n / 32 - n2 * (3.0 / 64)
    let two4 = 3.0 / 128 + n / 128
    let three3 = 5.0 / 192 - n * (3.0 / 64) + n2 * (5.0 / 192)
    let three4 = 3.0 / 128 - n * (5.0 / 192)
    let four4 = 7.0 / 512 - n * (7.0 / 256)
    return SineSeries(
      c1: e * (one1 + e * (one2 + e * (one3 + e * (one4 + e * (3.0 / 128))))),
      c2: square * (two2 + e * (two3 + e * (two4 + e * (5.0 / 256)))),
      c3: square * e * (three3 + e * (three4 + e * (7.0 / 512))),
      c4: fourth * (four4 + e * (7.0 / 512)),
      c5: fourth * e * (21.0 / 2560),
      c6: 0)
  }
}

/// c₁ sin 2σ + c₂ sin 4σ + … + c₆ sin 12σ.
struct SineSeries {
  let c1, c2, c3, c4, c5, c6: Double

  /// Returns the sum at the end of an arc minus the sum at its start, after Clenshaw, both at once.
  func difference(over arc: AuxiliaryArc) -> Double {
    let sine = 2 * arc.sines * arc.cosines
    let cosine = 2 * (arc.cosines - arc.sines) * (arc.cosines + arc.sines)
    let b5 = c5 + cosine * c6
    let b4 = c4 - c6 + cosine * b5
    let b3 = c3 - b5 + cosine * b4
    let b2 = c2 - b4 + cosine * b3
    let b1 = c1 - b3 + cosine * b2
    let sums = sine * b1
    return sums.y - sums.x
  }
}
