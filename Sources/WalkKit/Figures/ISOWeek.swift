public import FieldCore

/// An ISO 8601 week, which begins on a Monday.
///
/// The first week of a year is the one that contains the year's first Thursday.
public struct ISOWeek: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The year that the week belongs to, which may differ from the year of some of its days.
  public let year: Int
  /// The number of the week, from 1 through 53.
  public let week: Int

  /// Creates the week that contains a day.
  public init(_ day: CalendarDay) {
    // A week belongs to the year of its Thursday. For the calendar's first days, that Thursday lies
    // before the calendar, so they are assigned to the first week of year 0.
    let toThursday = CalendarDay.Weekday.thursday.rawValue - day.weekday.rawValue
    let thursday = day.adding(days: toThursday)
    year = thursday.year
    week = CalendarDay.newYear(year).days(until: thursday) / 7 + 1
  }

  /// Returns whether the left week is before the right one.
  public static func < (left: ISOWeek, right: ISOWeek) -> Bool {
    (left.year, left.week) < (right.year, right.week)
  }

  /// The week in ISO 8601 notation, such as `2020-W07`.
  public var description: String { "\(year.digits(4))-W\(week.digits(2))" }
}
