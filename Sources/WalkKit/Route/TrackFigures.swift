public import FieldCore

/// The statistics of a track, such as its distance, times, and climb.
///
/// A ``TrackMeter`` provides them during a walk, and ``WalkRoute/figures(_:)`` for a whole route.
/// Both calculate in the same way, so their numbers agree.
public struct TrackFigures: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The length of all legs inside segments, on the ellipsoid at sea level.
  ///
  /// Nothing is counted between two segments.
  public var distance: Distance
  /// The time from the first to the last point, including breaks between segments.
  ///
  /// It is `nil` if fewer than two points have a time. It is the sum of the steps between times. A
  /// step backward, or one of more than ten years, is a clock error and counts as zero.
  public var elapsedTime: Duration?
  /// The part of the time inside segments that was spent in motion.
  ///
  /// It is `nil` if no segment has two points with a time. See ``TrackMeter/Options`` for what
  /// counts as standing still.
  public var movingTime: Duration?
  /// The total ascent; `nil`, which isn't zero, if no segment has two elevations.
  public var climb: Distance?
  /// The total descent, as a positive length; `nil` under the same conditions as ``climb``.
  public var descent: Distance?
  /// The splits, each of the length ``TrackMeter/Options/splitLength`` except for the last.
  public var splits: [Split]
  /// The number of points.
  public var pointCount: Int
  /// The number of segments that contain points.
  public var segmentCount: Int

  /// Creates statistics.
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

  /// Returns the mean moving time per length, such as per kilometer, or `nil` without moving time
  /// or distance.
  public func pace(per length: Distance = .kilometers(1)) -> Duration? {
    Pace.of(movingTime, over: distance, per: length)
  }

  /// The distance.
  public var description: String { distance.description }
}

enum Pace {
  static func of(_ time: Duration?, over distance: Distance, per length: Distance) -> Duration? {
    guard let time, time > .zero, distance > .zero else { return nil }
    let factor = length / distance
    guard factor.isFinite, factor >= 0, time / .seconds(1) * factor < 1e15 else { return nil }
    return time * factor
  }
}
