/// The order of day and month that the dates of one column or feed have.
///
/// `25/03/2026` has its day first, and so has `03/04/2026` beside it. `03/04/2026` alone may be in
/// March or April. Likewise, `1711011200` is a number of seconds since 1970 among others that can be
/// nothing else, but alone it may be a date and time in digits.
///
/// Note the dates with ``TimestampParser/instant(_:noting:)-(String,_)``, and if ``isAmbiguous`` is
/// `true` afterwards, read the ambiguous ones again with a parser that has the order.
package struct DateOrder: Sendable, Hashable {
  /// The separators of dates that have their day first, one bit each.
  private var daysFirst: UInt8 = 0
  /// The separators of dates that have their month first, one bit each.
  private var monthsFirst: UInt8 = 0
  /// A Boolean value that indicates whether numbers were read that count from 1970.
  private(set) var isCount = false
  /// A Boolean value that indicates whether a text was met that may be read in more than one way.
  package var isAmbiguous = false

  /// Creates an order that nothing is known of.
  package init() {}

  /// A Boolean value that indicates whether anything is known.
  package var isKnown: Bool { daysFirst | monthsFirst != 0 || isCount }

  /// Adds what other dates say.
  package mutating func formUnion(_ other: DateOrder) {
    daysFirst |= other.daysFirst
    monthsFirst |= other.monthsFirst
    isCount = isCount || other.isCount
    isAmbiguous = isAmbiguous || other.isAmbiguous
  }

  /// Returns whether dates with a separator have their day first; `nil` if that is unknown or the
  /// dates contradict each other.
  func isDayFirst(_ separator: UInt8) -> Bool? {
    let bit = Self.bit(separator)
    return daysFirst & bit != monthsFirst & bit ? daysFirst & bit != 0 : nil
  }

  /// Returns whether dates with a separator are known to contradict each other.
  func isMixed(_ separator: UInt8) -> Bool {
    daysFirst & monthsFirst & Self.bit(separator) != 0
  }

  mutating func note(_ separator: UInt8, isDayFirst: Bool) {
    if isDayFirst {
      daysFirst |= Self.bit(separator)
    } else {
      monthsFirst |= Self.bit(separator)
    }
  }

  mutating func noteCount() { isCount = true }

  private static func bit(_ separator: UInt8) -> UInt8 {
    switch separator {
    case UInt8(ascii: "/"): 1
    case UInt8(ascii: "."): 2
    default: 4
    }
  }
}

extension TimestampParser.Fields {
  /// Puts day and month in their order, and notes what the text says about it; returns `false` if the
  /// order is ambiguous.
  mutating func resolve(_ order: DateOrder, _ noted: inout DateOrder) -> Bool {
    if isAmbiguousCount {
      noted.isAmbiguous = true
      return order.isCount
    }
    if isCount { noted.noteCount() }
    guard isYearLast, month != day else { return true }
    if month <= 12, day <= 12 {
      noted.isAmbiguous = true
      var order = order
      order.formUnion(endOrder)
      // Dates with `AM` and `PM` are American, as Socrata's are, unless others contradict.
      let isAmerican = separator == UInt8(ascii: "/") && hasPeriod && !order.isMixed(separator)
      guard let isDayFirst = order.isDayFirst(separator) ?? (isAmerican ? false : nil) else {
        return false
      }
      putInOrder(isDayFirst: isDayFirst)
      return true
    }
    let isDayFirst = month > 12
    putInOrder(isDayFirst: isDayFirst)
    noted.note(separator, isDayFirst: isDayFirst)
    return true
  }

  /// Puts day and month in their order, and those of the end of a range that has the same order.
  private mutating func putInOrder(isDayFirst: Bool) {
    if isDayFirst { swap(&month, &day) }
    if isDayFirst && isEndOrderOpen { swap(&lastDay.month, &lastDay.day) }
    isEndOrderOpen = false
  }
}
