public import FieldCore

/// A range of calendar days, including the first and the last.
public struct WalkPeriod: Sendable, Hashable, Codable, CustomStringConvertible, Comparable {
  /// The first day.
  public let first: CalendarDay
  /// The last day, not before the first.
  public let last: CalendarDay

  /// Creates a period from its first and last day, in either order.
  public init(_ one: CalendarDay, _ other: CalendarDay) {
    first = min(one, other)
    last = max(one, other)
  }

  /// The number of days in the period.
  public var dayCount: Int { first.days(until: last) + 1 }

  /// Returns a Boolean value that indicates whether the period contains a day.
  public func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }

  /// Returns a Boolean value that indicates whether a walk counts for the period.
  ///
  /// A walk counts for the day of its start, in the walk's own time zone, even if it continues past
  /// midnight. A walk without a date counts for no period.
  public func contains(_ walk: Walk) -> Bool { !walk.isUndated && contains(walk.day) }

  /// The first and the last day.
  public var description: String { "\(first) to \(last)" }

  /// Returns whether the left period begins earlier, or begins on the same day and ends earlier.
  public static func < (left: WalkPeriod, right: WalkPeriod) -> Bool {
    (left.first, left.last) < (right.first, right.last)
  }
}
