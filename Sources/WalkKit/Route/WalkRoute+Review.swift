public import FieldCore
internal import FieldFoundation

extension WalkRoute {
  /// Looks the points over, and tells what is odd about them; nothing is changed or left out.
  ///
  /// Issues come in the order of the points; a point can have several. A jump is judged from the last
  /// point that was none: of a single point that lies far off only it is told, and where the track goes
  /// on from the far place only the first one is.
  public func review(_ limits: RouteReview.Limits = RouteReview.Limits()) -> RouteReview {
    var reviewer = RouteReviewer(limits, rollovers: RolloverFinder(self))
    for (index, segment) in segments.enumerated() {
      reviewer.beginSegment()
      for (place, point) in segment.enumerated() { reviewer.review(point, index, place) }
    }
    return RouteReview(issues: reviewer.issues)
  }
}

/// What a look over a ``WalkRoute`` found.
public struct RouteReview: Sendable, Hashable, Codable {
  /// What is odd, in the order of the points.
  public var issues: [RouteIssue]

  /// Makes a review.
  public init(issues: [RouteIssue]) { self.issues = issues }

  /// How many points have an issue at least.
  public var flaggedCount: Int {
    // The issues of a point follow each other.
    var count = 0
    var last: RouteIssue?
    for issue in issues {
      if issue.segment != last?.segment || issue.point != last?.point { count += 1 }
      last = issue
    }
    return count
  }

  /// How many issues there are of each kind.
  public var counts: [RouteIssue.Kind: Int] {
    issues.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }

  /// What is taken for a jump.
  public struct Limits: Sendable, Hashable, Codable {
    /// The speed above which a leg is a jump, in metres a second; 12, faster than a dog with its owner
    /// behind it.
    public var metersPerSecond: Double
    /// A leg up to this length is none however short its time, since receivers tremble; 30 m.
    public var shortestJump: Distance
    /// A leg without a time is a jump when it is longer than this; 1 km.
    public var longestUntimedLeg: Distance

    /// Makes limits.
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

/// Goes over the points once.
private struct RouteReviewer {
  private let limits: RouteReview.Limits
  private let rollovers: RolloverFinder
  private(set) var issues: [RouteIssue] = []
  private var previous: TrackPoint?
  /// The last point of the segment that can be believed.
  private var trusted: TrackPoint?
  private var lastTime: Date?

  init(_ limits: RouteReview.Limits, rollovers: RolloverFinder) {
    self.limits = limits
    self.rollovers = rollovers
  }

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
