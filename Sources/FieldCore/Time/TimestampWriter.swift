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
}
