public import FieldCore
public import FieldFoundation

/// What a walk has earned: a bone and a heart, once.
///
/// The reward is stored with its walk, so that a restart does not lose it, and it is claimed at most
/// once, by whoever asks first.
public struct WalkReward: Identifiable, Hashable, Codable, Sendable {
  /// What the reward is known by: the same walk and reason always give the same id.
  public var id: ID
  /// What it was earned for.
  public var reason: Reason
  /// When it was earned.
  public var earned: Date
  /// When it was claimed; nil when it is waiting.
  public var claimed: Date?

  /// Makes the reward of a walk.
  public init(of walk: Walk.ID, for reason: Reason = .goal, earned: Date, claimed: Date? = nil) {
    id = ID(rawValue: "\(walk.rawValue)/\(reason.rawValue)")
    self.reason = reason
    self.earned = earned
    self.claimed = claimed
  }

  /// The identifier of a reward.
  public typealias ID = RecordID<WalkReward>

  /// What a reward was earned for: an open set.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The word for it.
    public var rawValue: String
    /// Makes a reason from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// The goal was reached.
    public static var goal: Reason { Reason(rawValue: "goal") }
  }
}

extension WalkReward: CustomStringConvertible {
  /// The ID, which consists of the walk and the reason.
  public var description: String { id.description.printable }
}
