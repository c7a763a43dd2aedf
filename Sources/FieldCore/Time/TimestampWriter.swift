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
    let wall = WallTime(
      Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down)), in: .utc)
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
