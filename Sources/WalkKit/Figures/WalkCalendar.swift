public import FieldCore

/// A calendar that divides time into days, weeks, months, and years.
///
/// ```swift
/// let calendar = WalkCalendar(weekStart: .sunday)
/// for (week, walks) in calendar.periods(of: walks, by: .week) {
///   print(week.first, WalkStatistics(walks).distance)
/// }
/// ```
///
/// The day of a walk is the calendar day of its start in the walk's own time zone (``Walk/day``),
/// wherever the device is now. Daylight saving time and travel have no further effect.
public struct WalkCalendar: Sendable, Hashable, Codable {
  /// The first day of the week.
  ///
  /// Defaults to Monday, as in ISO 8601.
  public var weekStart: CalendarDay.Weekday

  /// Creates a calendar.
  public init(weekStart: CalendarDay.Weekday = .monday) { self.weekStart = weekStart }

  /// The length of a period.
  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    /// A day.
    case day
    /// Seven days from the start of the week.
    case week
    /// A month.
    case month
    /// A year.
    case year
  }

  /// Returns the period that contains a day, shortened at the ends of the calendar.
  public func period(_ unit: Unit, containing day: CalendarDay) -> WalkPeriod {
    switch unit {
    case .day:
      return WalkPeriod(day, day)
    case .week:
      let passed = (day.weekday.rawValue - weekStart.rawValue + 7) % 7
      return WalkPeriod(day.adding(days: -passed), day.adding(days: 6 - passed))
    case .month:
      let first = day.adding(days: 1 - day.day)
      // A day in the next month, or the calendar's last day.
      let next = first.adding(days: 31)
      return WalkPeriod(first, next.month == first.month ? next : next.adding(days: -next.day))
    case .year:
      let year = day.year
      return WalkPeriod(.newYear(year), year == 9999 ? .last : .newYear(year + 1).adding(days: -1))
    }
  }

  /// Returns the periods that contain walks, earliest first, together with their walks.
  ///
  /// The walks of a period keep their order. Walks without a date are skipped.
  public func periods(
    of walks: some Sequence<Walk>, by unit: Unit
  ) -> [(period: WalkPeriod, walks: [Walk])] {
    let groups = Dictionary(grouping: walks.lazy.filter { !$0.isUndated }) {
      period(unit, containing: $0.day)
    }
    return groups.map { (period: $0.key, walks: $0.value) }.sorted { $0.period < $1.period }
  }
}
