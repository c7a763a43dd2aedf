public import FieldCore

/// The number of consecutive days with walks, according to a ``StreakRule``.
public struct Streak: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The current run; `nil` if it is broken or hasn't begun.
  public let currentRun: Run?
  /// The longest run, or the earliest of several; `nil` if no day counts.
  public let longestRun: Run?
  /// A Boolean value that indicates whether today already counts.
  public let isTodayDone: Bool

  /// The number of days in the current run; 0 if there is none.
  public var current: Int { currentRun?.dayCount ?? 0 }
  /// The number of days in the longest run; 0 if there is none.
  public var longest: Int { longestRun?.dayCount ?? 0 }

  /// A run of days that count.
  public struct Run: Sendable, Hashable, Codable {
    /// The first day.
    public let first: CalendarDay
    /// The last day so far.
    public let last: CalendarDay
    /// The number of days that count, without grace days in between.
    public let dayCount: Int
  }

  /// The lengths of the current and the longest run.
  public var description: String { "\(current) days, at most \(longest)" }
}
