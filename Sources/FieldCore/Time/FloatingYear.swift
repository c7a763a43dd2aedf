/// A reader of years in the formats that tables of meteorites use.
///
/// The formats are `1880-01-01T00:00:00.000`, `1880-01-01T00:00:00`, `1880-01-01`, `01/01/2001
/// 12:00:00 AM`, `31.01.2001`, `1880`, `0860`, `860`, `1880.0`, and `301 BC`. The year is used as written,
/// without a conversion between time zones.
///
/// Years are numbered as in ISO 8601: 0 is 1 BC, so `301 BC` is −300, and a number with a minus
/// sign is used as it is. Years have at most four digits; anything else is `nil`.
package enum FloatingYear {
  /// Returns the year in a text.
  package static func year(in text: String) -> Int? { text.withUTF8Span { year(in: $0) } }

  /// Returns the year in UTF-8 text.
  package static func year(in bytes: Span<UInt8>) -> Int? {
    if let year = yearOfSocrata(bytes) { return year }
    var cursor = ByteCursor(trimming: bytes)
    let isNegative = cursor.take(UInt8(ascii: "-"), bytes)
    guard let first = cursor.number(bytes, upTo: 4) else { return nil }
    let year = isNegative ? -first.value : first.value
    if cursor.isAtEnd { return year }
    switch cursor.byte(bytes) {
    case UInt8(ascii: "-"):
      guard first.digits >= 3, isRestOfDate(bytes, &cursor) else { return nil }
      return year
    case UInt8(ascii: "/"):
      return isNegative ? nil : yearBehindDay(first.value, "/", bytes, cursor)
    case UInt8(ascii: "."):
      if !isNegative, let year = yearBehindDay(first.value, ".", bytes, cursor) { return year }
      cursor.at += 1
      while cursor.take(UInt8(ascii: "0"), bytes) {}
      return cursor.isAtEnd ? year : nil
    default:
      return isNegative || first.value == 0 ? nil : yearOfEra(first.value, bytes, &cursor)
    }
  }

  /// Returns the year of `1880-01-01T00:00:00.000`, which is how Socrata writes all years.
  @inline(__always)
  private static func yearOfSocrata(_ bytes: Span<UInt8>) -> Int? {
    let rest: StaticString = "-01-01T00:00:00.000"
    guard bytes.count == 4 + rest.utf8CodeUnitCount, bytes.begins(with: rest, at: 4) else {
      return nil
    }
    var year = 0
    for index in 0..<4 {
      guard ByteCursor.isDigit(bytes[index]) else { return nil }
      year = year * 10 + Int(bytes[index] &- 0x30)
    }
    return year
  }

  /// Returns whether `-01-01` is next, followed by nothing or a time.
  private static func isRestOfDate(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    cursor.at += 1
    guard let month = cursor.number(bytes, upTo: 2), (1...12).contains(month.value),
      cursor.take(UInt8(ascii: "-"), bytes), let day = cursor.number(bytes, upTo: 2),
      (1...31).contains(day.value)
    else { return false }
    return isTime(bytes, cursor)
  }

  /// Returns the year of `01/31/2001` or `31.01.2001`, with or without a time. The order of day and
  /// month doesn't matter here.
  private static func yearBehindDay(
    _ first: Int, _ separator: Unicode.Scalar, _ bytes: Span<UInt8>, _ behindFirst: ByteCursor
  ) -> Int? {
    var cursor = behindFirst
    let separator = UInt8(ascii: separator)
    cursor.at += 1
    guard (1...31).contains(first), let second = cursor.number(bytes, upTo: 2),
      (1...31).contains(second.value), min(first, second.value) <= 12,
      cursor.take(separator, bytes),
      let year = cursor.number(bytes, upTo: 4), year.digits >= 3, isTime(bytes, cursor)
    else { return nil }
    return year.value
  }

  /// Returns whether nothing is left, or only something like a time, whose value doesn't matter
  /// here.
  private static func isTime(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Bool {
    if cursor.isAtEnd { return true }
    let first = cursor.byte(bytes)
    guard first == UInt8(ascii: "T") || ByteCursor.isBlank(first) else { return false }
    guard ByteCursor.isDigit(cursor.byte(bytes, ahead: 1)) else { return false }
    for index in cursor.at + 1..<cursor.end {
      let byte = bytes[index]
      // Digits and punctuation, then the letters of AM, PM, and Z.
      guard
        byte &- 0x20 <= 0x1A || byte == UInt8(ascii: "A") || byte == UInt8(ascii: "P")
          || byte == UInt8(ascii: "M") || byte == UInt8(ascii: "Z")
      else { return false }
    }
    return true
  }

  private static func yearOfEra(
    _ number: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Int? {
    guard cursor.skipBlanks(bytes) else { return nil }
    let isBefore = cursor.take("BCE", bytes) || cursor.take("BC", bytes)
    guard isBefore || cursor.take("CE", bytes) || cursor.take("AD", bytes) else { return nil }
    guard cursor.isAtEnd else { return nil }
    return isBefore ? 1 - number : number
  }
}
