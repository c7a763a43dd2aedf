package import FieldFoundation

/// A moment as it was read from a text: exact, and with what the text said about itself.
package struct ParsedInstant: Sendable, Hashable {
  /// Whole seconds since 1 January 1970, rounded down.
  package let seconds: Int
  /// What comes on top, 0 to 999,999,999; further digits of the text are cut.
  package let nanoseconds: Int
  /// The zone of the text, or the reader's when the text had none.
  package let zone: FixedZone
  /// Whether the text stated its zone.
  package let isZoneStated: Bool
  /// The smallest unit that the text gave.
  package let precision: Precision

  /// The moment.
  package var date: Date {
    // Counted from where `Date` counts, so that nothing is rounded twice.
    Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
  }

  /// The day as the text has it, in its own zone.
  package var day: CalendarDay {
    CalendarDay(clamping: CivilCalendar.floor(seconds + zone.secondsFromUTC, 86_400))
  }

  /// The smallest unit that a text gave.
  package enum Precision: Sendable, Hashable {
    /// The day: the moment is its beginning.
    case day
    /// The hour.
    case hour
    /// The minute.
    case minute
    /// The second.
    case second
    /// So many digits of a second's fraction.
    case fraction(digits: Int)
  }
}
