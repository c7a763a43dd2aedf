/// The numbers of points that walks and badges are worth.
public struct PointRules: Sendable, Hashable, Codable {
  /// The points for each walk.
  ///
  /// Defaults to 1.
  public var perWalk: Int
  /// The points for each whole kilometer of a walk.
  ///
  /// Defaults to 1.
  public var perKilometer: Int
  /// The points for each reward.
  ///
  /// Defaults to 5.
  public var perReward: Int
  /// The points for each badge.
  ///
  /// Defaults to 10.
  public var perBadge: Int

  /// Creates rules.
  public init(perWalk: Int = 1, perKilometer: Int = 1, perReward: Int = 5, perBadge: Int = 10) {
    self.perWalk = perWalk
    self.perKilometer = perKilometer
    self.perReward = perReward
    self.perBadge = perBadge
  }
}
