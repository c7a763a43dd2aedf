/// What walks and badges are worth in points.
public struct PointRules: Sendable, Hashable, Codable {
  /// For every walk; 1 unless told otherwise.
  public var perWalk: Int
  /// For every whole kilometre of a walk; 1 unless told otherwise.
  public var perKilometer: Int
  /// For every reward; 5 unless told otherwise.
  public var perReward: Int
  /// For every badge; 10 unless told otherwise.
  public var perBadge: Int

  /// Makes rules.
  public init(perWalk: Int = 1, perKilometer: Int = 1, perReward: Int = 5, perBadge: Int = 10) {
    self.perWalk = perWalk
    self.perKilometer = perKilometer
    self.perReward = perReward
    self.perBadge = perBadge
  }
}
