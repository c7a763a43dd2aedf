public import FieldCore

/// The progress of a walk toward its goal.
public struct GoalProgress: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The goal.
  public var place: Place
  /// The distance from the last good fix to the goal, or `nil` before the first.
  public var distance: Distance?
  /// A Boolean value that indicates whether the walk has reached the goal at any time.
  public var isReached: Bool
  /// A Boolean value that indicates whether the walk will earn a reward.
  ///
  /// It does if the goal is reached and the walk didn't just begin there.
  public var earnsReward: Bool

  /// Creates a progress, for previews and tests.
  public init(
    place: Place, distance: Distance? = nil, isReached: Bool = false, earnsReward: Bool = false
  ) {
    self.place = place
    self.distance = distance
    self.isReached = isReached
    self.earnsReward = earnsReward
  }

  /// The place and the distance to it.
  public var description: String { "\(place)\(distance.map { ", \($0)" } ?? "")" }
}
