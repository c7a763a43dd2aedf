public import FieldCore
public import FieldFoundation

/// The one-time reward for a walk: a bone and a heart.
///
/// The reward is stored with its walk, so it survives a restart, and it can be claimed only once.
public struct WalkReward: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier, which is derived from the walk and the reason.
  public var id: ID
  /// The reason for the reward.
  public var reason: Reason
  /// The date on which it was earned.
  public var earned: Date
  /// The date on which it was claimed; `nil` if it hasn't been.
  public var claimed: Date?

  /// Creates the reward for a walk.
  public init(of walk: Walk.ID, for reason: Reason = .goal, earned: Date, claimed: Date? = nil) {
    id = ID(rawValue: "\(walk.rawValue)/\(reason.rawValue)")
    self.reason = reason
    self.earned = earned
    self.claimed = claimed
  }

  /// The identifier of a reward.
  public typealias ID = RecordID<WalkReward>

  /// The reason for a reward, as an open set of names.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the reason.
    public var rawValue: String
    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the reason.
    public var description: String { rawValue }

    /// The walk reached its goal.
    public static var goal: Reason { Reason(rawValue: "goal") }
  }

  /// The ID, which consists of the walk and the reason.
  public var description: String { id.description.printable }
}
