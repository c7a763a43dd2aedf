public import FieldCore

/// The answer to a user who claims to have reached the goal.
public enum GoalCheck: Sendable, Hashable, Codable {
  /// The goal is reached, now or earlier on the walk.
  case reached(Place)
  /// The goal is farther away than its radius.
  case notYet(Place, Distance)
  /// There has been no good fix yet, so the position is unknown.
  case unknownPosition
  /// The walk has no goal.
  case noGoal

  private enum ReachedCodingKeys: String, CodingKey { case _0 = "place" }
  private enum NotYetCodingKeys: String, CodingKey { case _0 = "place", _1 = "distance" }

  /// A Boolean value that indicates whether the goal is reached.
  public var isReached: Bool { if case .reached = self { true } else { false } }

  /// The old app's Korean message for a user who isn't there, or `nil` if the goal is reached or
  /// there is none.
  public var koreanMessage: String? {
    switch self {
    case .reached, .noGoal: nil
    case .notYet, .unknownPosition: "목표 지점에 도착하지 않았어요!"
    }
  }
}
