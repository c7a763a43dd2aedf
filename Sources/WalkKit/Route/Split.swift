public import FieldCore

/// A section of a route with a fixed length, such as a kilometer, and its times and climbs.
///
/// If a leg crosses the end of a split, the crossing is interpolated, and the leg's times and
/// climbs are divided by length: one leg of 2.5 km fills two splits of a kilometer and half of a
/// third one.
public struct Split: Sendable, Hashable, Codable, Identifiable {
  /// The index of the split.
  public var index: Int
  /// The length of the split: the full length, or the remaining distance for the last one.
  public var distance: Distance
  /// A Boolean value that indicates whether the split has the full length.
  public var isComplete: Bool
  /// The time inside segments, including time spent standing still; `nil` without times.
  public var recordedTime: Duration?
  /// The part of ``recordedTime`` spent in motion.
  public var movingTime: Duration?
  /// The ascent; `nil` without elevations.
  public var climb: Distance?
  /// The descent, as a positive length; `nil` without elevations.
  public var descent: Distance?

  /// Creates a split.
  public init(
    index: Int, distance: Distance, isComplete: Bool, recordedTime: Duration? = nil,
    movingTime: Duration? = nil, climb: Distance? = nil, descent: Distance? = nil
  ) {
    self.index = index
    self.distance = distance
    self.isComplete = isComplete
    self.recordedTime = recordedTime
    self.movingTime = movingTime
    self.climb = climb
    self.descent = descent
  }

  /// Returns the mean moving time per length in this split, or `nil` without moving time or
  /// distance.
  public func pace(per length: Distance = .kilometers(1)) -> Duration? {
    Pace.of(movingTime, over: distance, per: length)
  }

  /// The index of the split.
  public var id: Int { index }
}
