public import FieldCore

/// A policy that determines when a goal is reached, and when it earns a reward.
///
/// A position isn't exact, so one fix inside the radius proves little. Without a user's question,
/// the goal is reached:
/// - by one fix that is inside with all of its error: distance + accuracy is less than the
///   radius; or
/// - by ``confirmations`` consecutive fixes whose distance is less than the radius.
///
/// Distances are compared strictly: at a distance of 50 m, a goal with a radius of 50 m isn't
/// reached. If the user asks (``WalkRecorder/checkGoal()``), the last good fix inside the radius
/// suffices.
///
/// A reward also requires that the dog has really gone there. If the walk began within the radius,
/// it must leave it first, so far that the error can't explain it (distance - accuracy is at least
/// the radius).
public struct GoalPolicy: Sendable, Hashable, Codable {
  /// The radius within which the goal is reached.
  ///
  /// Defaults to 50 m, as in the old app.
  ///
  /// With zero or less, only the exact place counts.
  public var radius: Distance
  /// The number of consecutive fixes inside the radius that confirm each other.
  ///
  /// Defaults to 2.
  public var confirmations: Int

  /// Creates a policy.
  public init(radius: Distance = .meters(50), confirmations: Int = 2) {
    self.radius = radius
    self.confirmations = confirmations
  }

  /// The default policy.
  public static var standard: GoalPolicy { GoalPolicy() }
}
