public import FieldCore

/// A part of the way of fixed length, such as a kilometre, with what it took.
///
/// Where a leg goes across the end of a split, the place on the leg is interpolated, and what the leg
/// took and climbed is shared by length: one leg of 2.5 km fills two splits of a kilometre and half of
/// a third.
public struct Split: Sendable, Hashable, Codable {
  /// The number of the split, from 0.
  public var index: Int
  /// How long the split is: the full length, or the rest of the way in the last one.
  public var distance: Distance
  /// Whether it has the full length.
  public var isComplete: Bool
  /// The time that it took inside segments, standing still included; nil without times.
  public var recordedTime: Duration?
  /// The part of ``recordedTime`` in which the place changed.
  public var movingTime: Duration?
  /// What was climbed in it; nil without elevations.
  public var climb: Distance?
  /// What was descended in it, as a positive length; nil without elevations.
  public var descent: Distance?

  /// Makes a split.
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

  /// The moving time that a length took on average in this split; nil without moving time or distance.
  public func pace(per length: Distance = .kilometers(1)) -> Duration? {
    Pace.of(movingTime, over: distance, per: length)
  }
}

extension Split: Identifiable {
  /// The number of the split.
  public var id: Int { index }
}
