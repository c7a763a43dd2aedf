#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Reads the dates of HTTP header fields (RFC 9110, section 5.6.7).
///
/// Three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`. All are in UTC. The day of the week is not compared with the date.
package enum HTTPDate {
  /// The date, or nil when the text is none of the three forms or names no day of the calendar.
  ///
  /// A year of two digits is taken as the one within fifty years of `now`.
  package static func parse(_ text: String, now: Date) -> Date? {
    var parts = text.split { " ,-:\t".contains($0) }
    guard let weekday = parts.first, isWeekday(weekday) else { return nil }
    parts.removeFirst()
    if parts.count == 7, parts[6] == "GMT" || parts[6] == "UTC" {
      return date(
        year: parts[2], month: parts[1], day: parts[0], time: Array(parts[3...5]), now: now)
    }
    guard parts.count == 6 else { return nil }
    return date(year: parts[5], month: parts[0], day: parts[1], time: Array(parts[2...4]), now: now)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private static func isWeekday(_ text: Substring) -> Bool {
    weekdays.contains(String(text.prefix(3)).lowercased()) && text.allSatisfy(\.isLetter)
  }

  private static func date(
    year: Substring, month: Substring, day: Substring, time: [Substring], now: Date
  ) -> Date? {
    guard let month = months.firstIndex(of: month.lowercased()).map({ $0 + 1 }),
      let day = number(day, digits: 1...2), var fullYear = number(year, digits: 2...4),
      let hour = number(time[0], digits: 2...2), hour < 24,
      let minute = number(time[1], digits: 2...2), minute < 60,
      let second = number(time[2], digits: 2...2), second <= 60
    else { return nil }
    if year.count == 2 {
      let current = civilYear(ofDay: Int((now.timeIntervalSince1970 / 86_400).rounded(.down)))
      fullYear += (current - fullYear + 50) / 100 * 100
    } else if year.count == 3 {
      return nil
    }
    guard day >= 1, day <= length(ofMonth: month, year: fullYear) else { return nil }
    let days = dayNumber(year: fullYear, month: month, day: day)
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar, years counted from March so that
  /// the leap day comes last.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }

  private static func civilYear(ofDay day: Int) -> Int {
    var year = 1970 + Int((Double(day) / 365.2425).rounded(.down))
    while dayNumber(year: year, month: 1, day: 1) > day { year -= 1 }
    while dayNumber(year: year + 1, month: 1, day: 1) <= day { year += 1 }
    return year
  }
}
