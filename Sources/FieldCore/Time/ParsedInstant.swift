package import FieldFoundation

/// A moment that was read from a text, with the precision and the zone that the text states.
package struct ParsedInstant: Sendable, Hashable {
  /// The whole seconds since 1 January 1970, rounded down.
  package let seconds: Int64
  /// The nanoseconds to add, from 0 through 999,999,999; further digits of the text are dropped.
  package let nanoseconds: Int
  /// The zone of the text, or of the reader if the text states none.
  package let zone: FixedZone
  /// A Boolean value that indicates whether the text stated its zone.
  package let isZoneStated: Bool
  /// The smallest unit in the text.
  package let precision: Precision
  /// The last day of a range, in the text's own zone; `nil` if the text is no range, or if its end
  /// is unclear or precedes its start.
  package let lastDay: CalendarDay?

  /// The moment.
  package var date: Date {
    // `Date` counts from 2001, so counting from there rounds only once.
    Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
  }

  /// The day in the text's own zone.
  package var day: CalendarDay {
    CalendarDay(clamping: CivilCalendar.days(ofSeconds: seconds + Int64(zone.secondsFromUTC)))
  }

  /// The smallest unit in a text.
  package enum Precision: Sendable, Hashable {
    /// A day: the moment is its beginning.
    case day
    /// An hour.
    case hour
    /// A minute.
    case minute
    /// A second.
    case second
    /// A fraction of a second, with a number of digits.
    case fraction(digits: Int)
  }
}
