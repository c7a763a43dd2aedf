public import FieldCore

/// Cuts time into days, weeks, months and years.
///
/// ```swift
/// let calendar = WalkCalendar(weekStart: .sunday)
/// for (week, walks) in calendar.periods(of: walks, by: .week) {
///   print(week.first, WalkStatistics(walks).distance)
/// }
/// ```
///
/// The day of a walk is the calendar day of its start in the walk's own zone (``Walk/day``), wherever the
/// device is by now; summer time and travel play no part after that.
public struct WalkCalendar: Sendable, Hashable, Codable {
  /// The day that weeks begin on: Monday as in ISO 8601, or another.
  public var weekStart: CalendarDay.Weekday

  /// Makes a calendar; weeks begin on Monday unless told otherwise.
  public init(weekStart: CalendarDay.Weekday = .monday) { self.weekStart = weekStart }

  /// How long a period is.
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

  /// The period of a length that a day is in. At the ends of the calendar it is cut short.
  public func period(_ unit: Unit, containing day: CalendarDay) -> WalkPeriod {
    switch unit {
    case .day:
      return WalkPeriod(day, day)
    case .week:
      let passed = (day.weekday.rawValue - weekStart.rawValue + 7) % 7
      return WalkPeriod(day.adding(days: -passed), day.adding(days: 6 - passed))
    case .month:
      let first = day.adding(days: 1 - day.day)
      // In the next month, or on the calendar's last day, where it stops.
      let next = first.adding(days: 31)
      return WalkPeriod(
        first, next.month == first.month ? next : next.adding(days: -next.day))
    case .year:
      let year = day.year
      return WalkPeriod(
        .newYear(year), year == 9999 ? .last : .newYear(year + 1).adding(days: -1))
    }
  }

  /// The walks of each period that has any, the earliest period first; in a period they are in the order
  /// given. Walks without a date are left out.
  public func periods(
    of walks: some Sequence<Walk>, by unit: Unit
  ) -> [(period: WalkPeriod, walks: [Walk])] {
    let groups = Dictionary(grouping: walks.lazy.filter { !$0.isUndated }) {
      period(unit, containing: $0.day)
    }
    return groups.map { (period: $0.key, walks: $0.value) }.sorted { $0.period < $1.period }
  }
}
