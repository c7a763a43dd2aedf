package import FieldFoundation

/// The date formats of HTTP header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// Returns a date in the preferred format, `Tue, 22 Jul 2025 20:42:19 GMT`, without the fraction of
  /// its second.
  package static func string(for date: Date) -> String {
    let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    let wall = WallTime(second, in: .utc)
    let weekday = weekdays[wall.day.weekday.rawValue - 1]
    var bytes = Array("\(weekday), ".utf8)
    bytes.append(padded: wall.day.day, 2)
    bytes.append(contentsOf: " \(DateWords.abbreviations[wall.day.month - 1]) ".utf8)
    bytes.append(padded: wall.day.year, 4)
    bytes.append(UInt8(ascii: " "))
    bytes.append(clock: wall)
    bytes.append(contentsOf: " GMT".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Returns the date of a text in one of three formats, two of which are obsolete.
  ///
  /// They are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, and `Sun Nov  6
  /// 08:49:37 1994`.
  ///
  /// - Parameter now: The current date: a two-digit year is at most 50 years later.
  /// - Returns: The date, or `nil` if the text has another format or a zone other than GMT.
  package static func date(from text: String, now: Date) -> Date? {
    let latest = WallTime(now, in: .utc).day.year + 50
    guard let first = text.utf8.first, ByteCursor.isLetter(first),
      let instant = TimestampParser(zone: .utc, latestShortYear: latest).instant(text),
      instant.zone == .utc, instant.precision == .second, hasPlainNumbers(text),
      !text.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 >= 0x80 }), hasWeekday(text)
    else { return nil }
    return instant.date
  }

  private static func hasWeekday(_ text: String) -> Bool {
    weekdays.contains { text.prefix(3).lowercased() == $0.lowercased() }
  }

  /// Returns whether the hour isn't 24 and the year has two or four digits: timestamps may differ,
  /// but header fields may not.
  private static func hasPlainNumbers(_ text: String) -> Bool {
    let isAfterMidnight = text.split(separator: ":").first?.hasSuffix("24") ?? false
    let numbers = text.split { !$0.isWholeNumber }
    // The day may have one digit, but hour, minute, and second may not.
    return !isAfterMidnight && !numbers.contains { $0.count == 3 }
      && numbers.filter { $0.count == 1 }.count <= 1
  }
}
