package import FieldFoundation

/// What calendar and clock on the wall show at a moment in a zone, to the millisecond.
///
/// A moment before the year 0 or after 9999 is taken for the first or the last one of those years,
/// and so is one that is no number (the first).
package struct WallTime: Sendable, Hashable {
  /// The day.
  package let day: CalendarDay
  /// The hour, 0 to 23.
  package let hour: Int
  /// The minute, 0 to 59.
  package let minute: Int
  /// The second, 0 to 59.
  package let second: Int
  /// The millisecond, 0 to 999, rounded to the nearest: a `Date` cannot hold most of them exactly.
  package let millisecond: Int

  /// What the wall shows at `date` in `zone`.
  package init(_ date: Date, in zone: FixedZone) {
    let first = Double(CalendarDay.first.number) * 86_400_000
    let last = Double(CalendarDay.last.number + 1) * 86_400_000 - 1
    let moment = (date.timeIntervalSince1970 * 1000).rounded() + Double(zone.secondsFromUTC * 1000)
    let count = Int(moment.isNaN ? first : min(max(moment, first), last))
    let days = CivilCalendar.floor(count, 86_400_000)
    let rest = count - days * 86_400_000
    day = CalendarDay(clamping: days)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }
}
