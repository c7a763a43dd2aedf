public import FieldCore
internal import FieldFoundation

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
