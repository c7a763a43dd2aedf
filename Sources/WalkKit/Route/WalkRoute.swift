public import FieldCore
internal import FieldFoundation

/// The route of a walk: one or more segments of points, between which nothing was recorded.
///
/// ```swift
/// let route = try await field.walks.route(of: walk.id)
/// try route.gpx(name: "Morning").write(to: file)
/// let figures = route.figures()
/// ```
///
/// No line is drawn and no distance is counted between the end of one segment and the start of the
/// next. The points are as the source provided them, including doubtful ones; use ``review(_:)`` to
/// find those.
public struct WalkRoute: Sendable, Hashable, CustomStringConvertible {
  /// The points in the order in which they were recorded, with one array for each segment.
  public var segments: [[TrackPoint]]

  /// Creates a route from segments.
  public init(segments: [[TrackPoint]] = []) { self.segments = segments }

  /// Creates a route from a track, including its empty segments.
  public init(track: Track) { segments = track.segments }

  /// Creates a route from all segments of several tracks, because one walk may be split into
  /// tracks.
  public init(tracks: some Sequence<Track>) { segments = tracks.flatMap(\.segments) }

  /// The number of points in all segments.
  public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// A Boolean value that indicates whether no segment contains a point.
  public var isEmpty: Bool { segments.allSatisfy(\.isEmpty) }

  /// The first point, or `nil` if there is none.
  public var start: TrackPoint? { segments.first { !$0.isEmpty }?.first }

  /// The last point, or `nil` if there is none.
  public var end: TrackPoint? { segments.last { !$0.isEmpty }?.last }

  /// The smallest box that contains all points, or `nil` if there are none.
  ///
  /// The box crosses the antimeridian if it is smaller that way.
  public var bounds: GeoBox? { GeoBox(enclosing: segments.joined().lazy.map(\.coordinate)) }

  /// The length of all legs inside segments, on the ellipsoid at sea level, calculated on each
  /// access.
  public var distance: Distance {
    var meters = 0.0
    for segment in segments {
      var last: GeodesicPoint?
      for point in segment {
        let place = GeodesicPoint(point.coordinate)
        if let last { meters += Geodesic.meters(from: last, to: place) }
        last = place
      }
    }
    return .meters(meters)
  }

  /// Returns the statistics of the route, as a ``TrackMeter`` calculates them during a walk.
  public func figures(_ options: TrackMeter.Options = TrackMeter.Options()) -> TrackFigures {
    var meter = TrackMeter(options: options)
    for segment in segments {
      for point in segment { meter.add(point) }
      meter.breakSegment()
    }
    return meter.figures
  }

  /// The numbers of points and segments.
  public var description: String { "\(pointCount) points in \(segments.count) segments" }

  /// Returns the route without the points near a place, such as the owner's home.
  ///
  /// All points within the radius are removed, at the start, at the end, and on the way. A new
  /// segment begins where points are missing, so that no line crosses the gap and points to the
  /// place. The distance of the remaining route is shorter accordingly; the statistics of the whole
  /// route are in the ``Walk``.
  ///
  /// - Parameters:
  ///   - center: The place to hide. If it is the exact place, the starts of several routes reveal
  ///     it as the center of a circle; a place beside it avoids that.
  ///   - radius: The distance up to which points are removed.
  public func clipped(around center: Coordinate, radius: Distance) -> WalkRoute {
    WalkRoute(
      segments: segments.flatMap { segment in
        segment.split { $0.coordinate.distance(to: center) <= radius }.map(Array.init)
      })
  }

  /// Returns the segments as encoded polylines for maps and routing services, one for each segment.
  ///
  /// An empty segment becomes an empty text.
  public func polylines(precision: EncodedPolyline.Precision = .five) -> [EncodedPolyline] {
    segments.map { EncodedPolyline($0.lazy.map(\.coordinate), precision: precision) }
  }
}

// MARK: - Denoising

extension WalkRoute {
  /// Returns the route without the points that only show the noise of the receiver, as if it had been
  /// recorded here.
  ///
  /// Programs that keep every fix write a cloud of points where a dog stood still, and a zigzag where it
  /// walked, whose legs add up to far more than was walked. What's left are points of the file, the first
  /// and the last of each segment among them, whose legs add up to the distance that was walked. Segments
  /// stay, points without times and points whose time isn't later than the previous one are kept, and a
  /// route that was recorded here hardly changes.
  ///
  /// ```swift
  /// let track = WalkRoute(tracks: try GPXDocument(data: data).tracks)
  /// print(track.distance, track.denoised().distance)
  /// ```
  ///
  /// - Parameter policy: The policy whose ``FixPolicy/minimumDistance``, ``FixPolicy/stillDuration``, and
  ///   ``FixPolicy/stillRadius`` apply. Its other limits don't, because another program has already
  ///   filtered the points, and segments say where nothing was recorded.
  public func denoised(_ policy: FixPolicy = .standard) -> WalkRoute {
    var limits = FixPolicy.permissive
    limits.minimumDistance = policy.minimumDistance
    limits.stillDuration = policy.stillDuration
    limits.stillRadius = policy.stillRadius
    limits.signalGap = .seconds(Int64.max)
    return WalkRoute(segments: segments.map { Self.denoised($0, limits) })
  }

  private static func denoised(_ segment: [TrackPoint], _ limits: FixPolicy) -> [TrackPoint] {
    var filter = FixFilter(limits)
    var kept: [TrackPoint] = []
    var lastTime = -Double.infinity
    for point in segment {
      guard let date = point.time, date.timeIntervalSinceReferenceDate > lastTime else {
        // Nothing can be said of a point without a time of its own, or of the way to it.
        if let end = filter.endSegment() { kept.append(end) }
        kept.append(point)
        continue
      }
      lastTime = date.timeIntervalSinceReferenceDate
      let accuracy = point.accuracy.flatMap { $0.meters >= 0 ? $0 : nil } ?? .zero
      let fix = LocationFix(coordinate: point.coordinate, accuracy: accuracy, time: date)
      switch filter.evaluate(fix, point, now: date) {
      case .accept: kept.append(point)
      case .keepBack: break
      case .reject: kept.append(point)
      }
    }
    if let end = filter.endSegment() { kept.append(end) }
    return kept
  }
}

// MARK: - Simplifying

extension WalkRoute {
  /// Returns the route with fewer points, such that no removed point is farther from it than a
  /// tolerance.
  ///
  /// The method uses the Douglas–Peucker algorithm: the point farthest from a line is kept if it is
  /// beyond the tolerance, and then both halves are processed. Each segment keeps its first and
  /// last point, and points keep all of their properties. In a long segment, every 4,096th point is
  /// also kept, which bounds the cost of the worst case. On a map, a tolerance of 5 m is hardly
  /// visible and leaves a sixth of the points of a recorded walk.
  ///
  /// Distances are measured in the plane that touches the earth in the middle of each line, so the
  /// bound holds everywhere, including at the poles and across the antimeridian. It applies to the
  /// shape; a time that is interpolated on the simplified route can be off by more.
  ///
  /// - Parameter tolerance: The largest deviation of a removed point. If it is zero or less, only
  ///   points exactly on a line are removed.
  public func simplified(within tolerance: Distance) -> WalkRoute {
    WalkRoute(
      segments: segments.map { segment in
        let meters = tolerance.meters > 0 ? tolerance.meters : 0
        return Simplification.kept(of: segment, within: meters).map { segment[$0] }
      })
  }
}

/// The Douglas–Peucker algorithm with an explicit stack, so that a track can have any length.
private enum Simplification {
  /// The length at which lines are cut first, because the worst case is quadratic in the number of
  /// points.
  private static let mostPoints = 4_096

  /// Returns the indices of the points to keep, in order.
  static func kept(of segment: [TrackPoint], within tolerance: Double) -> [Int] {
    guard segment.count > 2 else { return Array(segment.indices) }
    let places = segment.map { GeodesicPoint($0.coordinate).position }
    var isKept = [Bool](repeating: false, count: places.count)
    isKept[0] = true
    isKept[places.count - 1] = true
    var open: [(first: Int, last: Int)] = []
    for first in stride(from: 0, to: places.count - 1, by: mostPoints) {
      let last = min(first + mostPoints, places.count - 1)
      isKept[last] = true
      open.append((first, last))
    }
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let line = GroundLine(places[first], places[last])
      var farthest = (index: first, squared: tolerance * tolerance)
      for index in first + 1..<last {
        let squared = line.squaredDistance(to: places[index])
        if squared > farthest.squared { farthest = (index, squared) }
      }
      guard farthest.index > first else { continue }
      isKept[farthest.index] = true
      open.append((first, farthest.index))
      open.append((farthest.index, last))
    }
    return isKept.indices.filter { isKept[$0] }
  }
}

/// A straight line between two places on the ground, which ignores heights above or below the plane
/// that touches the ellipsoid in its middle.
struct GroundLine {
  private let start: SIMD3<Double>
  private let way: SIMD3<Double>
  private let squaredLength: Double
  private let up: SIMD3<Double>

  /// Creates a line between two points in space, such as `GeodesicPoint.position`.
  init(_ start: SIMD3<Double>, _ end: SIMD3<Double>) {
    // The normal of the ellipsoid x² + y² + (1 + e'²) z² = a², where e'² is 0.00673949674.
    var normal = (start + end) * SIMD3(1, 1, 1.006_739_496_74)
    let length = (normal * normal).sum().squareRoot()
    if length > 0 { normal /= length }
    up = normal
    self.start = start
    way = Self.flat(end - start, normal)
    squaredLength = (way * way).sum()
  }

  private static func flat(_ vector: SIMD3<Double>, _ up: SIMD3<Double>) -> SIMD3<Double> {
    vector - up * (vector * up).sum()
  }

  /// Returns the square of the distance to the line, including its ends, in square meters.
  func squaredDistance(to place: SIMD3<Double>) -> Double {
    let there = Self.flat(place - start, up)
    var part = squaredLength > 0 ? (there * way).sum() / squaredLength : 0
    part = min(max(part, 0), 1)
    let off = there - way * part
    return (off * off).sum()
  }
}

// MARK: - Review

extension WalkRoute {
  /// Finds problems with the points without changing or removing any.
  ///
  /// Issues are in the order of the points, and a point can have several. A jump is judged from the
  /// last point that isn't a jump: if a single point is far off, only that point is reported, and
  /// if the track continues from the far place, only the first point there is.
  public func review(_ limits: RouteReview.Limits = RouteReview.Limits()) -> RouteReview {
    var reviewer = RouteReviewer(limits: limits, rollovers: RolloverFinder(self))
    for (index, segment) in segments.enumerated() {
      reviewer.beginSegment()
      for (place, point) in segment.enumerated() { reviewer.review(point, index, place) }
    }
    return RouteReview(issues: reviewer.issues)
  }
}

/// The result of reviewing a ``WalkRoute``.
public struct RouteReview: Sendable, Hashable, Codable {
  /// The issues, in the order of the points.
  public var issues: [RouteIssue]

  /// Creates a review.
  public init(issues: [RouteIssue]) { self.issues = issues }

  /// The number of points with at least one issue.
  public var flaggedCount: Int { issues.uniqued { SIMD2($0.segment, $0.point) }.count }

  /// The number of issues of each kind.
  public var counts: [RouteIssue.Kind: Int] {
    issues.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }

  /// The limits beyond which a leg is a jump.
  public struct Limits: Sendable, Hashable, Codable {
    /// The speed above which a leg is a jump, in meters per second.
    ///
    /// Defaults to 12, which is faster than a dog followed by its owner.
    public var metersPerSecond: Double
    /// The length up to which a leg is never a jump, because receivers are noisy.
    ///
    /// Defaults to 30 m.
    public var shortestJump: Distance
    /// The length above which a leg without times is a jump.
    ///
    /// Defaults to 1 km.
    public var longestUntimedLeg: Distance

    /// Creates limits.
    public init(
      metersPerSecond: Double = 12, shortestJump: Distance = .meters(30),
      longestUntimedLeg: Distance = .kilometers(1)
    ) {
      self.metersPerSecond = metersPerSecond
      self.shortestJump = shortestJump
      self.longestUntimedLeg = longestUntimedLeg
    }
  }
}

/// A reviewer that makes one pass over the points.
private struct RouteReviewer {
  let limits: RouteReview.Limits
  let rollovers: RolloverFinder
  private(set) var issues: [RouteIssue] = []
  private(set) var previous: TrackPoint?
  /// The last trustworthy point of the segment.
  private(set) var trusted: TrackPoint?
  private(set) var lastTime: Date?

  mutating func beginSegment() {
    previous = nil
    trusted = nil
  }

  mutating func review(_ point: TrackPoint, _ segment: Int, _ index: Int) {
    var kinds: [RouteIssue.Kind] = []
    let time = point.time.flatMap { $0.timeIntervalSinceReferenceDate.isFinite ? $0 : nil }
    if let time {
      if !RolloverFinder.isPlausible(time) { kinds.append(.implausibleTime) }
      if rollovers.isRolledOver(time) { kinds.append(.weekRollover) }
      if let lastTime, time < lastTime { kinds.append(.wrongOrder) }
      lastTime = time
    } else {
      kinds.append(.noTime)
    }
    if let elevation = point.elevation, elevation.isFinite {
      if !TrackMeter.elevations.contains(elevation) { kinds.append(.implausibleElevation) }
    } else {
      kinds.append(.noElevation)
    }
    let isNull = point.coordinate.latitude == 0 && point.coordinate.normalized.longitude == 0
    if isNull { kinds.append(.nullIsland) }
    if let previous, let time, previous.time == time {
      kinds.append(previous.coordinate == point.coordinate ? .duplicate : .repeatedTime)
    }
    if isJump(to: point) {
      kinds.append(.jump)
    } else if !isNull {
      trusted = point
    }
    previous = point
    issues += kinds.map { RouteIssue(kind: $0, segment: segment, point: index) }
  }

  private func isJump(to point: TrackPoint) -> Bool {
    guard let trusted, let previous, isTooFar(from: trusted, to: point) else { return false }
    return previous == trusted || isTooFar(from: previous, to: point)
  }

  private func isTooFar(from start: TrackPoint, to end: TrackPoint) -> Bool {
    let distance = start.coordinate.distance(to: end.coordinate)
    guard distance > limits.shortestJump else { return false }
    guard let from = start.time, let to = end.time, to >= from else {
      return distance > limits.longestUntimedLeg
    }
    return distance.meters > limits.metersPerSecond * to.timeIntervalSince(from)
  }
}
