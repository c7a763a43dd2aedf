public import FieldFoundation

/// A calendar day without a time or a time zone, such as a birthday or the day of an event.
///
/// ```swift
/// let birth = try CalendarDay("2020-01-01")
/// let today = CalendarDay(clock.now, in: .seoul)
/// print(birth.days(until: today), birth.weekday)
/// ```
///
/// The calendar is Gregorian for all years from 0 (1 BC) through 9999, as in ISO 8601.
public struct CalendarDay: Sendable, Hashable {
  /// The days since 1 January 1970.
  let number: Int32

  /// Creates a day from its text.
  ///
  /// - Parameter text: The day in the form `yyyy-MM-dd`.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the text has
  ///   another form or the day doesn't exist.
  public init(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10])
    else {
      throw FieldError(
        .invalidInput, "\"\(text.prefix(40))\" isn't a day in the form 2020-01-31.")
    }
    try self.init(year: year, month: month, day: day)
  }

  /// Creates a day from its year, month, and day.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the day doesn't
  ///   exist.
  public init(year: Int, month: Int, day: Int) throws {
    guard let valid = CalendarDay(validYear: year, month: month, day: day) else {
      throw FieldError(
        .invalidInput, "There is no day \(day) in month \(month) of the year \(year).")
    }
    self = valid
  }

  /// Creates the day of a moment in a time zone.
  ///
  /// A moment before ``first`` or after ``last`` results in that day, and a date that isn't a
  /// number in ``first``.
  public init(_ date: Date, in zone: FixedZone) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    // More than the calendar holds, but far from integer overflow.
    let limited = seconds.isNaN ? -1e12 : min(max(seconds, -1e12), 1e12)
    let moment = Int64(limited) + Int64(zone.secondsFromUTC)
    self.init(clamping: CivilCalendar.days(ofSeconds: moment))
  }

  /// Creates a day from its numbers, or `nil` if the day doesn't exist.
  package init?(validYear year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= CivilCalendar.dayCount(year: year, month: month)
    else { return nil }
    number = Int32(CivilCalendar.days(year: year, month: month, day: day))
  }

  /// Creates the day that is a number of days after 1 January 1970, or the nearest one.
  init(clamping days: Int) {
    number = Int32(min(max(days, Int(Self.first.number)), Int(Self.last.number)))
  }

  private init(_ number: Int32) { self.number = number }

  /// Returns the first day of a year from 0 through 9999.
  package static func newYear(_ year: Int) -> CalendarDay {
    CalendarDay(clamping: CivilCalendar.days(year: year, month: 1, day: 1))
  }

  /// The first day, 0000-01-01.
  public static let first = CalendarDay(-719_528)
  /// The last day, 9999-12-31.
  public static let last = CalendarDay(2_932_896)

  /// The year, from 0 through 9999.
  public var year: Int { CivilCalendar.date(ofDays: Int(number)).year }
  /// The month, from 1 through 12.
  public var month: Int { CivilCalendar.date(ofDays: Int(number)).month }
  /// The day of the month, from 1 through 31.
  public var day: Int { CivilCalendar.date(ofDays: Int(number)).day }
  /// The day of the week.
  public var weekday: Weekday {
    // 1 January 1970 was a Thursday.
    Weekday(rawValue: (Int(number) - Int(Self.first.number) + 5) % 7 + 1) ?? .monday
  }

  /// Returns the day a number of days later, or earlier if negative, limited to ``first`` and
  /// ``last``.
  public func adding(days: Int) -> CalendarDay {
    let (sum, overflow) = Int(number).addingReportingOverflow(days)
    return overflow ? (days < 0 ? .first : .last) : CalendarDay(clamping: sum)
  }

  /// Returns the number of days until another day, which is negative if the other day is earlier.
  public func days(until other: CalendarDay) -> Int { Int(other.number) - Int(number) }

  /// Returns the moment when the day begins in a time zone.
  public func start(in zone: FixedZone) -> Date {
    Date(timeIntervalSince1970: Double(Int64(number) * 86_400 - Int64(zone.secondsFromUTC)))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  /// A day of the week, numbered as in ISO 8601: Monday is 1.
  public enum Weekday: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Monday, the first day of the week.
    case monday = 1
    /// Another day of the week.
    case tuesday, wednesday, thursday, friday, saturday, sunday
  }
}

extension CalendarDay: Comparable {
  /// Returns a Boolean value that indicates whether one day precedes another.
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.number < right.number
  }
}

extension CalendarDay: CustomStringConvertible {
  /// The day in the form `yyyy-MM-dd`.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.append(day: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CalendarDay: Codable {
  /// Creates a day from a text in the form `yyyy-MM-dd`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(text)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath, debugDescription: "\"\(text)\" isn't a day",
          underlyingError: error))
    }
  }

  /// Encodes the day in the form `yyyy-MM-dd`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

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
