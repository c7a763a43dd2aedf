import FieldCore
import TestSupport
import Testing

@Suite("Distances")
struct GeodesicTests {
  static let knownDistances: [(Double, Double, Double, Double, Double)] = [
    // A quarter of the meridian, from Karney's paper and EPSG guidance: 10,001,965.7293 m.
    (0.0, 0.0, 90.0, 0.0, 10_001_965.729_312_7),
    (-90, 0, 90, 77, 20_003_931.458_625_4),
    (90, 10, 90, 200, 0),
    (-90, -180, -90, 360, 0),
    // Along the equator, a λ; over the pole when that is shorter.
    (0, 0, 0, 1, 111_319.490_793_273_6),
    (0, 359.5, 0, 0.5, 111_319.490_793_273_6),
    (0, 0, 0, 180, 20_003_931.458_625_4),
    (0, -180, 0, 180, 0),
    (48.15, 17.11, 48.15, 17.11, 0),
    (0, 354.5, 0, -5.5, 0),
    // The example of section 5 of the paper: φ₁ = -30°, φ₂ = 29.9°, λ₁₂ = 179.8°.
    (-30, 0, 29.9, 179.8, 19_989_832.827_610),
    // Vincenty's method fails here (from the documentation of GeographicLib).
    (0, 0, 0.5, 179.7, 19_944_127.420_750),
    (0, 0, 0.5, 179.5, 19_936_288.578_965),
  ]

  typealias Place = (Double, Double)

  /// Where the distance is taken from, and the two ends of the path.
  static let paths: [(Place, Place, Place)] = [
    // Through 25 km, where the closed form ends: eastward, northward, aslant, next to a pole.
    ((48.0, 17.0), (48.0, 17.30), (48.0, 17.37)),
    ((48.0, 17.0), (48.20, 17.0), (48.26, 17.0)),
    ((0.0, 0.0), (0.14, 0.14), (0.18, 0.18)),
    ((-89.9, 0.0), (-89.86, 120.0), (-89.87, 120.0)),
    // On to a meridian and off it; across a pole; over the equator; across ±180°.
    ((-30.0, 10.0), (40.0, 9.999), (40.0, 10.001)),
    ((-30.0, 10.0), (89.99, 190.0), (90.0, 190.0)),
    ((0.0, 0.0), (-0.001, 60.0), (0.001, 60.0)),
    ((10.0, -179.0), (11.0, 179.9), (11.0, 180.1)),
    // Into the antipode's region, through the astroid, and along the equator past f π.
    ((-30.0, 0.0), (30.0, 178.0), (30.0, 178.2)),
    ((-30.0, 0.0), (30.0, 179.0), (30.0, 180.0)),
    // (the distance has a true crease on the opposite parallel and meridian, the cut locus)
    ((-30.0, 0.0), (29.5, 179.9), (30.0, 179.9)),
    ((-30.0, 0.0), (30.0, 179.9), (30.5, 179.9)),
    ((0.0, 0.0), (0.0, 179.3), (0.0, 179.5)),
    ((0.0, 0.0), (1e-9, 179.3), (1e-9, 179.5)),
  ]

  @Test("distances are those of the reference for 10,000 pairs of every kind")
  func reference() throws {
    let pairs = try GeodesicReference.pairs()
    #expect(pairs.count == 10_000)
    for pair in pairs {
      let meters = pair.from.distance(to: pair.to).meters
      // geographiclib promises 15 nm; below 10 m the reference is exact, and so are the distances.
      let allowed = pair.meters < 10 ? pair.meters * 4e-15 : 2e-8
      #expect(
        abs(meters - pair.meters) <= allowed, "pair \(pair.index), \(pair.kind): \(meters)")
    }
  }

  @Test("distances are bit-identical in both directions, and however longitudes are counted")
  func symmetry() throws {
    for pair in try GeodesicReference.pairs() {
      let distance = pair.from.distance(to: pair.to)
      #expect(pair.to.distance(to: pair.from) == distance, "pair \(pair.index)")
      if pair.from.longitude < 0 {
        // Adding a turn may round, so both ways are counted from the rounded place.
        let east = try Coordinate(
          latitude: pair.from.latitude, longitude: pair.from.longitude + 360)
        #expect(
          east.distance(to: pair.to) == east.normalized.distance(to: pair.to), "pair \(pair.index)")
      }
    }
  }

  @Test(
    "distances of places with a known distance match it",
    arguments: knownDistances)
  func known(lat1: Double, lon1: Double, lat2: Double, lon2: Double, meters: Double) throws {
    let from = try Coordinate(latitude: lat1, longitude: lon1)
    let to = try Coordinate(latitude: lat2, longitude: lon2)
    #expect(abs(from.distance(to: to).meters - meters) < 1e-5)
    if meters == 0 { #expect(from.distance(to: to) == .zero) }
  }

  /// A straight path in degrees, stepped through finely: where a formula takes over from another,
  /// second differences of the distance would show it.
  @Test(
    "distances don't jump along a path",
    arguments: paths)
  func continuity(origin: Place, start: Place, end: Place) throws {
    let from = try Coordinate(latitude: origin.0, longitude: origin.1)
    let steps = Sample.rounds(4_000, 4_000, inDebug: 2_000)
    var meters: [Double] = []
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let to = try Coordinate(
        latitude: start.0 + (end.0 - start.0) * part,
        longitude: start.1 + (end.1 - start.1) * part)
      meters.append(from.distance(to: to).meters)
    }
    // A jump by j shows as a second difference of j between neighbours that bend by less.
    let bends = (1..<steps).map { step -> Double in
      (meters[step + 1] - meters[step]) - (meters[step] - meters[step - 1])
    }
    for index in bends.indices.dropFirst(2).dropLast(2) {
      // What the path itself bends by is what it bends by nearby.
      let nearby = max(abs(bends[index - 2]), abs(bends[index + 2]))
      #expect(abs(bends[index]) <= nearby * 1.5 + 6e-8, "step \(index) of \(steps)")
    }
  }

  @Test(
    "distances satisfy the triangle inequality, and are never below the straight line",
    arguments: [3, 4] as [UInt64])
  func triangles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let corners = try (0..<3).map { _ in
        try Coordinate(
          latitude: .random(in: -90...90, using: &random),
          longitude: .random(in: -180...360, using: &random))
      }
      let sides = [
        corners[0].distance(to: corners[1]).meters, corners[1].distance(to: corners[2]).meters,
        corners[2].distance(to: corners[0]).meters,
      ]
      let longest = try #require(sides.max())
      #expect(2 * longest <= sides.reduce(0, +) + 1e-7, "seed \(seed): \(corners)")
      #expect(longest <= 20_003_931.458_63, "seed \(seed): \(corners)")
    }
  }

  /// Where λ is next to 180° (1 - f) the geodesic begins to leave the equator, and every term of the
  /// equations is next to 0 or 0 / 0. (geographiclib 2.1 is off by 268 nm at the first of these.)
  @Test(
    "distances near the equator are those along it, as long as that is the shortest path",
    arguments: [
      0, .leastNonzeroMagnitude, 1e-300, 1e-160, 1e-101, 1e-99, 1e-20, 4.173e-16, 9.286e-16, 1e-14,
    ])
  func nextToEquator(latitude: Double) throws {
    for span in [1, 90, 179.0, 179.396490189448315, 179.3964906548857, 179.396494] {
      for (lat1, lat2) in [
        (latitude, latitude), (0, latitude), (latitude, 0), (-latitude, latitude),
      ] {
        let from = try Coordinate(latitude: lat1, longitude: -0.5)
        let to = try Coordinate(latitude: lat2, longitude: -0.5 + span)
        let length = 6_378_137 * (to.longitude - from.longitude) * .pi / 180
        #expect(abs(from.distance(to: to).meters - length) < 2e-8, "\(lat1), \(lat2), \(span)")
      }
    }
  }

  @Test("distances grow by at most the distance of neighbors if one end moves by the last bit")
  func lastBits() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      let from = try Coordinate(latitude: .random(in: -89...89, using: &random), longitude: 0)
      let latitude = -from.latitude + .random(in: -0.3...0.3, using: &random)
      let to = try Coordinate(latitude: latitude, longitude: 179.8)
      let beside = try Coordinate(latitude: latitude.nextUp, longitude: 179.8.nextUp)
      let difference = abs((from.distance(to: to) - from.distance(to: beside)).meters)
      #expect(difference < 3e-8, "\(from) to \(to)")
    }
  }
}
