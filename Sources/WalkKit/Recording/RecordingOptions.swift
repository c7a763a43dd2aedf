public import FieldCore

/// Options that configure how walks are recorded.
public struct RecordingOptions: Sendable, Codable {
  /// The policy that determines which fixes make up the route.
  public var fixes: FixPolicy
  /// The policy that determines when a goal is reached.
  public var goals: GoalPolicy
  /// A Boolean value that indicates whether a running walk can be finished.
  ///
  /// Defaults to `true`.
  ///
  /// With `false`, ``WalkRecorder/finish(weather:dust:air:)`` throws `walks.state` until the walk is paused,
  /// as in the old app. A walk that was interrupted when the app quit counts as paused.
  public var allowsFinishingWhileRunning: Bool
  /// The maximum time that written fixes wait to be synced to the device.
  ///
  /// Defaults to 5 seconds.
  ///
  /// A crash of the app loses none of them; a power failure loses at most those of this time.
  /// Changes of state are synced immediately.
  public var flushInterval: Duration
  /// The time zone that determines the calendar day of a walk.
  ///
  /// Defaults to Seoul's, as in the old app.
  public var zone: FixedZone

  /// Creates options.
  public init(
    fixes: FixPolicy = .standard, goals: GoalPolicy = .standard,
    allowsFinishingWhileRunning: Bool = true, flushInterval: Duration = .seconds(5),
    zone: FixedZone = .seoul
  ) {
    self.fixes = fixes
    self.goals = goals
    self.allowsFinishingWhileRunning = allowsFinishingWhileRunning
    self.flushInterval = flushInterval
    self.zone = zone
  }

  /// The default options.
  public static var standard: RecordingOptions { RecordingOptions() }
}
