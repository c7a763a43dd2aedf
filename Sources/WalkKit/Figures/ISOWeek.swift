public import FieldCore

/// A week as ISO 8601 counts them: it begins on a Monday, and the first of a year is the one with the
/// year's first Thursday.
public struct ISOWeek: Sendable, Hashable, Codable {
  /// The year that the week counts for, which may not be that of all of its days.
  public let year: Int
  /// The number of the week, 1 to 53.
  public let week: Int

  /// The week that a day is in.
  public init(_ day: CalendarDay) {
    // The Thursday of a week is in the year that the week counts for. That of the calendar's very first
    // days lies before it, so they are taken for the first week of year 0.
    let toThursday = CalendarDay.Weekday.thursday.rawValue - day.weekday.rawValue
    let thursday = day.adding(days: toThursday)
    year = thursday.year
    week = CalendarDay.newYear(year).days(until: thursday) / 7 + 1
  }
}

extension ISOWeek: Comparable {
  /// Whether the left week comes before the right one.
  public static func < (left: ISOWeek, right: ISOWeek) -> Bool {
    (left.year, left.week) < (right.year, right.week)
  }
}

extension ISOWeek: CustomStringConvertible {
  /// The week as ISO 8601 writes it: `2020-W07`.
  public var description: String {
    let digits = String(year)
    let padding = String(repeating: "0", count: max(4 - digits.count, 0))
    return "\(padding)\(digits)-W\(week < 10 ? "0" : "")\(week)"
  }
}
