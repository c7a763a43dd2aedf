#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Writes moments in the forms that machines read.
package enum TimestampWriter {
  /// `2025-07-22T20:42:19.000Z`, always with milliseconds; for another zone `…+08:00`.
  package static func iso8601(_ date: Date, in zone: FixedZone = .utc) -> String {
    let wall = WallTime(date, in: zone)
    var text = "\(wall.day)T"
    text.append(clock: wall)
    text += "."
    text.append(padded: wall.millisecond, 3)
    return text + zone.description
  }

  /// `Tue, 22 Jul 2025 20:42:19 GMT`: the form that RFC 9110 wants in header fields. The fraction of a
  /// second is dropped.
  package static func httpDate(_ date: Date) -> String {
    let wall = WallTime(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)), in: .utc)
    var text = weekdays[wall.day.weekday.rawValue - 1] + ", "
    text.append(padded: wall.day.day, 2)
    text += " " + months[wall.day.month - 1] + " "
    text.append(padded: wall.day.year, 4)
    text += " "
    text.append(clock: wall)
    return text + " GMT"
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension String {
  /// Appends `20:42:19`.
  fileprivate mutating func append(clock wall: WallTime) {
    append(padded: wall.hour, 2)
    append(":")
    append(padded: wall.minute, 2)
    append(":")
    append(padded: wall.second, 2)
  }
}

/// The dates of HTTP header fields (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// Writes the preferred form, `Tue, 22 Jul 2025 20:42:19 GMT`.
  package static func string(for date: Date) -> String { TimestampWriter.httpDate(date) }

  /// Reads the three forms, of which two are obsolete:
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameter now: The date of the device: a year of two digits is never more than 50 years later.
  /// - Returns: The date; nil for what is none, or is in a zone other than GMT.
  package static func date(from text: String, now: Date) -> Date? {
    let latest = WallTime(now, in: .utc).day.year + 50
    guard let first = text.utf8.first, ByteCursor.isLetter(first),
      let instant = TimestampParser(zone: .utc, latestShortYear: latest).instant(text),
      instant.zone == .utc, instant.precision == .second
    else { return nil }
    return instant.date
  }
}
