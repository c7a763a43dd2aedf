public import FieldFoundation
internal import FieldCore

/// A point in time with nanoseconds, from the year 1 through 9999.
///
/// Firestore truncates timestamps to microseconds. Timestamps that the server assigns in a
/// transform have milliseconds.
public struct FirestoreTimestamp: Sendable, Hashable, Comparable, CustomStringConvertible, Codable {
  /// The whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// The nanoseconds after ``seconds``, from 0 through 999,999,999.
  public let nanoseconds: Int32

  /// Creates a timestamp.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the time is out of range.
  public init(seconds: Int64, nanoseconds: Int32 = 0) throws {
    guard let timestamp = FirestoreTimestamp(checking: seconds, nanoseconds) else {
      throw FieldError(
        .invalidInput,
        "A timestamp must be in the years 1 through 9999 and have 0 through 999,999,999 "
          + "nanoseconds, not \(seconds) s and \(nanoseconds) ns.")
    }
    self = timestamp
  }

  /// Creates a timestamp from a date, in microseconds, clamping dates that are out of range.
  public init(_ date: Date) {
    let interval = date.timeIntervalSince1970
    let whole = interval.rounded(.down)
    guard whole >= Double(Self.first), whole <= Double(Self.last) else {
      (seconds, nanoseconds) = (interval < 0 ? Self.first : Self.last, 0)
      return
    }
    let micros = min(((interval - whole) * 1e6).rounded(), 999_999)
    (seconds, nanoseconds) = (Int64(whole), Int32(micros) * 1_000)
  }

  /// Creates a timestamp from a string such as `2020-01-02T03:04:05.123456Z` (RFC 3339).
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the string has no time zone or isn't
  ///   a timestamp.
  public init(_ text: String) throws {
    guard let timestamp = FirestoreTimestamp(rfc3339: text) else {
      throw FieldError(
        .invalidInput, "\"\(text.prefix(60))\" isn't a timestamp with a time zone (RFC 3339).")
    }
    self = timestamp
  }

  init?(checking seconds: Int64, _ nanoseconds: Int32) {
    guard (Self.first...Self.last).contains(seconds), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// Creates a timestamp from `YYYY-MM-DDThh:mm:ss[.digits](Z|±hh:mm)`, dropping excess digits.
  package init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[start..<start + count] {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: character)
    }
    guard let year = number(0, 4), year > 0, has("-", at: 4), let month = number(5, 2),
      has("-", at: 7), let day = number(8, 2), has("T", at: 10) || has("t", at: 10),
      let hour = number(11, 2), hour < 24, has(":", at: 13), let minute = number(14, 2),
      minute < 60, has(":", at: 16), let second = number(17, 2), second < 60,
      let date = CalendarDay(validYear: year, month: month, day: day)
    else { return nil }
    var place = 19
    var nanos = 0
    if has(".", at: place) {
      var digits = 0
      place += 1
      while let digit = number(place, 1) {
        if digits < 9 { nanos = nanos * 10 + digit }
        digits += 1
        place += 1
      }
      guard digits > 0 else { return nil }
      for _ in 0..<max(0, 9 - digits) { nanos *= 10 }
    }
    var offset = 0
    if (has("Z", at: place) || has("z", at: place)) && place + 1 == bytes.count {
      offset = 0
    } else if has("+", at: place) || has("-", at: place), place + 6 == bytes.count,
      let hours = number(place + 1, 2), hours < 24, has(":", at: place + 3),
      let minutes = number(place + 4, 2), minutes < 60
    {
      offset = (hours * 60 + minutes) * (has("-", at: place) ? -60 : 60)
    } else {
      return nil
    }
    let days = Self.epoch.days(until: date)
    self.init(
      checking: Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset),
      Int32(nanos))
  }

  private static let first: Int64 = -62_135_596_800
  private static let last: Int64 = 253_402_300_799
  private static let epoch = CalendarDay.first.adding(days: 719_528)

  /// The time, with the precision of a `Date`.
  public var date: Date {
    // Counted from the reference date of `Date`, so that nothing is rounded twice.
    Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + Double(nanoseconds) / 1e9)
  }

  /// The time truncated to microseconds, as the server stores it.
  public var truncatedToMicroseconds: FirestoreTimestamp {
    FirestoreTimestamp(checking: seconds, nanoseconds / 1_000 * 1_000) ?? self
  }

  /// Returns a Boolean value that indicates whether one time is before another.
  public static func < (left: FirestoreTimestamp, right: FirestoreTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The time in UTC with 0, 3, 6, or 9 fractional digits, as the server writes it.
  public var description: String {
    // Years have four digits, so their days fit an `Int` of 32 bits.
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let rest = Int(seconds - Int64(days) * 86_400)
    let day = Self.epoch.adding(days: days)
    var text =
      "\(day.year.digits(4))-\(day.month.digits(2))-\(day.day.digits(2))T"
      + "\((rest / 3_600).digits(2)):\((rest / 60 % 60).digits(2)):\((rest % 60).digits(2))"
    if nanoseconds != 0 {
      let count = nanoseconds % 1_000_000 == 0 ? 3 : nanoseconds % 1_000 == 0 ? 6 : 9
      text += ".\(nanoseconds.digits(9).prefix(count))"
    }
    return text + "Z"
  }

  /// Creates a timestamp from a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let timestamp = FirestoreTimestamp(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text.prefix(60))\" isn't a timestamp")
    }
    self = timestamp
  }

  /// Encodes the timestamp as a string.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
