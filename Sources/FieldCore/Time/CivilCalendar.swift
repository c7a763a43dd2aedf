/// The arithmetic of the proleptic Gregorian calendar: the rule of 1582 for all years.
enum CivilCalendar {
  /// Returns the days from 1 January 1970 to a day, whose month is from 1 through 12 and whose day
  /// may be any number.
  static func days(year: Int, month: Int, day: Int) -> Int {
    // With years that begin in March, the leap day comes last, and the lengths of months add up
    // evenly.
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let leapDays = floor(marchYear, 4) - floor(marchYear, 100) + floor(marchYear, 400)
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 1 - daysToEpoch
  }

  /// Returns the date that is a number of days after 1 January 1970.
  static func date(ofDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + daysToEpoch
    let era = floor(shifted, daysOfEra)
    let dayOfEra = shifted - era * daysOfEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month > 2 ? 0 : 1), month, day)
  }

  /// Returns the days since 1 January 1970 at a number of seconds, limited to a billion.
  static func days(ofSeconds seconds: Int64) -> Int {
    Int(min(max(floor(seconds, 86_400), -1_000_000_000), 1_000_000_000))
  }

  /// Returns the second of the day at a number of seconds since 1 January 1970.
  static func secondOfDay(_ seconds: Int64) -> Int { Int(remainder(seconds, 86_400)) }

  /// Returns the number of days in a month.
  static func dayCount(year: Int, month: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns whether a year is a leap year.
  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Returns the quotient, rounded down.
  @inline(__always)
  static func floor<Number: FixedWidthInteger & SignedInteger>(
    _ value: Number, _ divisor: Number
  ) -> Number {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// Returns the remainder of a division that rounds down, which is never negative.
  @inline(__always)
  static func remainder<Number: FixedWidthInteger & SignedInteger>(
    _ value: Number, _ divisor: Number
  ) -> Number {
    value - floor(value, divisor) * divisor
  }

  /// The days from 1 March of year 0 to 1 January 1970.
  private static let daysToEpoch = 719_468
  private static let daysOfEra = 146_097
}
