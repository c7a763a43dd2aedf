public import FieldCore

/// How a walk stands to its goal.
public struct GoalProgress: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The goal.
  public var place: Place
  /// How far it is from the last good fix; nil before the first.
  public var distance: Distance?
  /// Whether the walk has been there; it stays so when the walk goes on.
  public var isReached: Bool
  /// Whether being there will be rewarded at the end of the walk: it is reached, and the walk did not
  /// just begin there.
  public var earnsReward: Bool

  /// Makes a progress, for previews and tests.
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
