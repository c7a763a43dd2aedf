public import FieldCore

/// How many days in a row there was a walk, by a ``StreakRule``.
public struct Streak: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The run that is going on; nil when it is broken or has not begun.
  public let currentRun: Run?
  /// The longest run; the earliest of those that are equal. Nil without a day that counts.
  public let longestRun: Run?
  /// Whether today counts already.
  public let isTodayDone: Bool

  /// How many days the run that is going on has; 0 when there is none.
  public var current: Int { currentRun?.dayCount ?? 0 }
  /// How many days the longest run has; 0 when there is none.
  public var longest: Int { longestRun?.dayCount ?? 0 }

  /// A run of days that count.
  public struct Run: Sendable, Hashable, Codable {
    /// The first day.
    public let first: CalendarDay
    /// The last day so far.
    public let last: CalendarDay
    /// How many days count; days of grace between them do not.
    public let dayCount: Int
  }

  /// The lengths of the current and the longest run.
  public var description: String { "\(current) days, at most \(longest)" }
}
