public import FieldCore

/// When a goal is reached, and when that is worth a reward.
///
/// A position is not exact, so one fix inside the radius proves little. The goal is reached on its own
/// - by one fix that is inside with all of its error: distance + accuracy is less than the radius; or
/// - by as many fixes in a row as ``confirmations`` says whose distance is less than the radius.
///
/// Distances are compared strictly: at 50 m of 50 m it is not reached. When a person asks
/// (``WalkRecorder/checkGoal()``), the last good fix inside the radius is enough, since the person is
/// there to see.
///
/// The reward wants more: the dog has really gone there. When the walk began within the radius, it has to
/// leave it first, so far that the error cannot explain it (distance - accuracy is at least the radius).
public struct GoalPolicy: Sendable, Hashable, Codable {
  /// How near is there: 50 m, as in the old app. With zero or less only the very place is.
  public var radius: Distance
  /// How many fixes in a row inside the radius are proof, when none is by itself: 2.
  public var confirmations: Int

  /// Makes a policy.
  public init(radius: Distance = .meters(50), confirmations: Int = 2) {
    self.radius = radius
    self.confirmations = confirmations
  }

  /// The defaults.
  public static var standard: GoalPolicy { GoalPolicy() }
}
