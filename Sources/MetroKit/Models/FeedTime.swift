internal import FieldCore
public import FieldFoundation

/// A time as a feed of the metro writes it: the text, and the moment it stands for.
///
/// ```swift
/// let time = FeedTime("2016-05-16T18:00:51.95")
/// print(time.taipeiText)                              // 2016年05月16日18時00分
/// print(FeedTime("soon").instant as Any)              // nil
/// ```
///
/// The feeds have used `2015-07-20T18:25:03.123` with up to three fraction digits,
/// `20261008131602`, `2025-08-10 21:00:22`, and `2026-07-18T21:36:38+08:00`. A text without a time
/// zone is in Taipei's, wherever the device is.
///
/// A time is identified by its text: equal texts are equal times, and it's encoded as its text.
public struct FeedTime: Hashable, Sendable, CustomStringConvertible {
  /// The text as the feed wrote it.
  public let rawText: String

  /// The moment; `nil` if the text isn't a plausible time.
  ///
  /// That applies to every text that isn't a date with a time of day, and to years in which no
  /// metro runs: `0001-01-01T00:00:00`, which a server writes for a missing time, and 2559, which
  /// is 2016 in the Buddhist calendar.
  public let instant: Date?

  /// Creates a time from a text, which is kept whether it's readable or not.
  public init(_ rawText: String) {
    self.rawText = rawText
    instant = rawText.utf8.count > 64 ? nil : Self.instant(Self.parser.instant(rawText))
  }

  /// Creates the time at a moment, to the millisecond.
  public init(_ date: Date) { self.init(TimestampWriter.iso8601(date, in: .taipei)) }

  init(rawText: String, instant: Date?) {
    self.rawText = rawText
    self.instant = instant
  }

  /// The time in the format of Taipei, such as `2016年05月16日18時00分`, without seconds.
  ///
  /// The calendar is Gregorian and the time zone Taipei's, whatever the device's are. An unreadable
  /// text is returned unchanged.
  public var taipeiText: String {
    guard let instant else { return rawText }
    let second = Date(
      timeIntervalSinceReferenceDate: instant.timeIntervalSinceReferenceDate.rounded(.down))
    let wall = WallTime(second, in: .taipei)
    return "\(wall.day.year.digits(4))年\(wall.day.month.digits(2))月\(wall.day.day.digits(2))日"
      + "\(wall.hour.digits(2))時\(wall.minute.digits(2))分"
  }

  static let parser = TimestampParser(zone: .taipei)

  /// The first trains ran in 1996. A feed that is still read in 2200 will have bigger problems.
  private static let plausibleYears = 1996...2199

  /// Returns the moment that was parsed, if it is plausible.
  static func instant(_ parsed: ParsedInstant?) -> Date? {
    guard let parsed, parsed.precision != .day, parsed.precision != .hour else { return nil }
    return plausibleYears.contains(parsed.day.year) ? parsed.date : nil
  }

  /// The text as the feed wrote it.
  public var description: String { rawText }
}

extension FeedTime: Codable {
  /// Creates a time by decoding its text.
  public init(from decoder: any Decoder) throws {
    self.init(try String(from: decoder))
  }

  /// Encodes the text.
  public func encode(to encoder: any Encoder) throws { try rawText.encode(to: encoder) }
}
