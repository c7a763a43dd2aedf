public import FieldCore

/// How walks are recorded.
public struct RecordingOptions: Sendable, Codable {
  /// Which fixes make the route.
  public var fixes: FixPolicy
  /// When a goal is reached.
  public var goals: GoalPolicy
  /// A Boolean value that indicates whether a running walk can be finished. Defaults to `true`.
  ///
  /// With `false`, ``WalkRecorder/finish(weather:dust:air:)`` throws `walks.state` until the walk is paused,
  /// as in the old app. A walk that was interrupted when the app quit counts as paused.
  public var allowsFinishingWhileRunning: Bool
  /// How long written fixes may wait to be forced onto the device: 5 s.
  ///
  /// A crash of the app loses none of them. A power cut costs those of this time at most. Each change of
  /// state is forced at once.
  public var flushInterval: Duration
  /// The zone that decides on the calendar day of a walk; Seoul, as in the old app, unless told
  /// otherwise.
  public var zone: FixedZone

  /// Makes options.
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

  /// The defaults.
  public static var standard: RecordingOptions { RecordingOptions() }
}
