package import FieldFoundation

/// The date and time that a calendar and a clock show at a moment in a zone, to the millisecond.
///
/// A moment before the year 0 or after 9999 becomes the first or the last moment of those years,
/// and one that isn't a number becomes the first.
package struct WallTime: Sendable, Hashable {
  /// The day.
  package let day: CalendarDay
  /// The hour, from 0 through 23.
  package let hour: Int
  /// The minute, from 0 through 59.
  package let minute: Int
  /// The second, from 0 through 59.
  package let second: Int
  /// The millisecond, from 0 through 999, rounded because a `Date` can't represent most of them
  /// exactly.
  package let millisecond: Int

  /// Creates the date and time of a moment in a zone.
  package init(_ date: Date, in zone: FixedZone) {
    let first = Double(CalendarDay.first.number) * 86_400_000
    let last = Double(CalendarDay.last.number + 1) * 86_400_000 - 1
    let moment = (date.timeIntervalSince1970 * 1000).rounded() + Double(zone.secondsFromUTC * 1000)
    let count = Int64(moment.isNaN ? first : min(max(moment, first), last))
    // A day of the calendar, and the milliseconds of one day, fit an `Int` of 32 bits.
    let days = CivilCalendar.floor(count, 86_400_000)
    let rest = Int(count - days * 86_400_000)
    day = CalendarDay(clamping: Int(days))
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }
}
