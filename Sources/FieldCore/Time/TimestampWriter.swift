package import FieldFoundation

/// A writer of machine-readable timestamps.
package enum TimestampWriter {
  /// Returns a date as `2025-07-22T20:42:19.000Z`, always with milliseconds, or with the offset of
  /// another zone.
  package static func iso8601(_ date: Date, in zone: FixedZone = .utc) -> String {
    let wall = WallTime(date, in: zone)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    bytes.append(day: wall.day)
    bytes.append(UInt8(ascii: "T"))
    bytes.append(clock: wall)
    bytes.append(UInt8(ascii: "."))
    bytes.append(padded: wall.millisecond, 3)
    bytes.append(zone: zone)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a date as `Tue, 22 Jul 2025 20:42:19 GMT`, the form that RFC 9110 requires in header
  /// fields.
  ///
  /// The fraction of a second is dropped.
  package static func httpDate(_ date: Date) -> String {
    let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    let wall = WallTime(second, in: .utc)
    var bytes = Array(weekdays[wall.day.weekday.rawValue - 1].utf8)
    bytes.append(contentsOf: ", ".utf8)
    bytes.append(padded: wall.day.day, 2)
    bytes.append(contentsOf: months[wall.day.month - 1].utf8)
    bytes.append(padded: wall.day.year, 4)
    bytes.append(UInt8(ascii: " "))
    bytes.append(clock: wall)
    bytes.append(contentsOf: " GMT".utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ",
    " Nov ", " Dec ",
  ]
}
