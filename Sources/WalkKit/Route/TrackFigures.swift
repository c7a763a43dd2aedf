public import FieldCore

/// What a track comes to: how far, how long, how high.
///
/// A ``TrackMeter`` gives it while a walk goes on, and ``WalkRoute/figures(_:)`` for a whole route; both
/// count in one way, so their numbers agree.
public struct TrackFigures: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The length of all legs inside segments, on the ellipsoid at sea level. Between two segments
  /// nothing is counted.
  public var distance: Distance
  /// From the first time to the last one, breaks between segments included; nil when fewer than two
  /// points have a time.
  ///
  /// It is the sum of the steps from time to time. A step back, or one of more than ten years, is a
  /// fault of the receiver's clock and counts as nothing.
  public var elapsedTime: Duration?
  /// The part of the time inside segments in which the place changed; nil when no segment has two
  /// points with a time. ``TrackMeter/Options`` defines what standing still is.
  public var movingTime: Duration?
  /// What was climbed in all; nil when no segment has two elevations, which is not zero.
  public var climb: Distance?
  /// What was descended in all, as a positive length; nil as for ``climb``.
  public var descent: Distance?
  /// The parts of the way, each as long as ``TrackMeter/Options/splitLength`` but for the last.
  public var splits: [Split]
  /// How many points there are.
  public var pointCount: Int
  /// How many segments have a point.
  public var segmentCount: Int

  /// Makes figures.
  public init(
    distance: Distance = .zero, elapsedTime: Duration? = nil, movingTime: Duration? = nil,
    climb: Distance? = nil, descent: Distance? = nil, splits: [Split] = [], pointCount: Int = 0,
    segmentCount: Int = 0
  ) {
    self.distance = distance
    self.elapsedTime = elapsedTime
    self.movingTime = movingTime
    self.climb = climb
    self.descent = descent
    self.splits = splits
    self.pointCount = pointCount
    self.segmentCount = segmentCount
  }

  /// The moving time that a length took on average, such as the minutes a kilometre; nil without
  /// moving time or distance.
  public func pace(per length: Distance = .kilometers(1)) -> Duration? {
    Pace.of(movingTime, over: distance, per: length)
  }

  /// The distance.
  public var description: String { distance.description }
}

/// The one way to count a pace.
enum Pace {
  static func of(_ time: Duration?, over distance: Distance, per length: Distance) -> Duration? {
    guard let time, time > .zero, distance > .zero else { return nil }
    let factor = length / distance
    guard factor.isFinite, factor >= 0, time / .seconds(1) * factor < 1e15 else { return nil }
    return time * factor
  }
}
