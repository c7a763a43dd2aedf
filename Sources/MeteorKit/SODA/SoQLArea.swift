internal import FieldCore
internal import FieldPortals

/// A region of the globe in the form in which a portal can be queried: flat boxes that cover all of
/// it.
///
/// To the portal, a location is a point on a flat map, with the longitude that its row gives. A box
/// across the antimeridian therefore becomes two, a longitude of 354.5° has to be queried in
/// addition to -5.5°, and a pole lies in a box at any longitude.
struct SoQLArea {
  private var south: Double
  private var north: Double
  private var west: Double
  /// At least `west`; more than 180 across the antimeridian.
  private var east: Double

  /// The margin for comparing locations, in degrees, because the portal's column has five decimals
  /// and is compared as 32-bit numbers.
  private static let margin = 0.00002
  /// The smallest radius of curvature of WGS84 along a meridian, which gives the fewest meters per
  /// radian.
  private static let shortestRadius = 6_335_439.0
  /// The greatest distance between two locations, in meters.
  private static let longestDistance = 20_004_000.0

  init(_ box: GeoBox) {
    (south, north, west) = (box.south, box.north, box.west)
    east = box.crossesAntimeridian ? box.east + 360 : box.east
  }

  /// Creates an area that contains a whole circle, whose radius is 0 or more.
  init(_ circle: MeteoriteQuery.Circle) {
    let center = circle.center.normalized
    // No path is shorter than its difference in latitude. On the sphere of reduced latitudes, its
    // arc is no longer than this, and its difference in longitude is no smaller.
    let arc = circle.radius.meters / Self.shortestRadius
    let degrees = arc * 180 / .pi
    (south, north) = (center.latitude - degrees, center.latitude + degrees)
    if south > -90, north < 90 {
      let ratio = Angle.sine(arc) / Angle.cosine(center.latitude * .pi / 180)
      let half = ratio < 1 ? Angle.arcsine(ratio) * 180 / .pi : 180
      (west, east) = (center.longitude - half, center.longitude + half)
    } else {
      (west, east) = (-180, 180)
    }
    (south, north) = (max(south, -90), min(north, 90))
  }

  // MARK: Boxes

  /// Returns the condition that a location lies in the area or near it.
  func condition(_ column: SoQL.Expression, plausibleOnly: Bool) -> SoQL.Condition {
    let isAround = east - west + 2 * Self.margin >= 360
    if isAround, south <= -90, north >= 90 { return column.isNotNull }
    // Locations beyond 180° aren't on a globe, so queries for plausible ones can skip them.
    let end = plausibleOnly ? 180.0 : 360
    if isAround { return box(column, west: -180, east: end) }
    return .any(
      boxes(column, from: -180, to: 180)
        + (plausibleOnly ? [] : boxes(column, from: 180, to: 360))
        + poles(column, to: end))
  }

  /// Returns the parts of the area between two longitudes; the area repeats every 360°.
  private func boxes(
    _ column: SoQL.Expression, from start: Double, to end: Double
  ) -> [SoQL.Condition] {
    [-360.0, 0, 360].compactMap { turn in
      let first = max(west - Self.margin + turn, start)
      let last = min(east + Self.margin + turn, end)
      return first <= last ? box(column, west: first, east: last) : nil
    }
  }

  private func box(_ column: SoQL.Expression, west: Double, east: Double) -> SoQL.Condition {
    column.isWithinBox(
      north: min(north + Self.margin, 90), west: west, south: max(south - Self.margin, -90),
      east: east)
  }

  private func poles(_ column: SoQL.Expression, to end: Double) -> [SoQL.Condition] {
    [south <= -90 ? -90.0 : nil, north >= 90 ? 90 : nil].compactMap { $0 }.map { pole in
      column.isWithinBox(north: pole, west: -180, south: pole, east: end)
    }
  }

  // MARK: Circles

  /// The maximum radius, in meters, and latitude at which the portal's circle is nearly a circle.
  ///
  /// It is a polygon of 32 corners in the Mercator projection of its zone: 0.5% narrower between
  /// two corners, and 0.3% smaller where the projection is coarsest, 434 km from the middle of the
  /// zone. On a sphere, it would be off by 0.6%. Hence the margins of 3%, and of 100 m for the
  /// corners of small circles.
  private static let largestCircle = 100_000.0
  private static let highestLatitude = 60.0

  static func condition(
    _ column: SoQL.Expression, _ circle: MeteoriteQuery.Circle, plausibleOnly: Bool
  ) -> SoQL.Condition {
    let radius = circle.radius.meters
    guard radius >= 0 else { return .never }  // NaN, too
    guard radius < longestDistance else { return column.isNotNull }
    let area = SoQLArea(circle)
    guard radius <= largestCircle, abs(circle.center.latitude) <= highestLatitude,
      area.west > -178, area.east < 178
    else { return area.condition(column, plausibleOnly: plausibleOnly) }
    let round = column.isWithin(.meters(radius * 1.03 + 100), of: circle.center)
    return plausibleOnly ? round : .any([round] + area.boxes(column, from: 180, to: 360))
  }
}
