public import FieldCore

/// A run of calendar days that figures are made for, the first and the last included.
public struct WalkPeriod: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The first day.
  public let first: CalendarDay
  /// The last day, not before the first.
  public let last: CalendarDay

  /// Makes a period of two days and all between them, in whatever order they are given.
  public init(_ one: CalendarDay, _ other: CalendarDay) {
    first = min(one, other)
    last = max(one, other)
  }

  /// How many days it has.
  public var dayCount: Int { first.days(until: last) + 1 }

  /// Whether a day is in it.
  public func contains(_ day: CalendarDay) -> Bool { first <= day && day <= last }

  /// Whether a walk counts for it: by the day of its start, in the walk's own zone. A walk over
  /// midnight counts for the day on which it began; one without a date counts for no period.
  public func contains(_ walk: Walk) -> Bool { !walk.isUndated && contains(walk.day) }

  /// The first and the last day.
  public var description: String { "\(first) to \(last)" }
}

extension WalkPeriod: Comparable {
  /// Whether the left period begins earlier, or ends earlier when both begin on a day.
  public static func < (left: WalkPeriod, right: WalkPeriod) -> Bool {
    (left.first, left.last) < (right.first, right.last)
  }
}
