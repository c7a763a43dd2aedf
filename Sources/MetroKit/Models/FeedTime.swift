internal import FieldCore
public import FieldFoundation

/// A time as a feed of the metro writes it: the text, and the moment that it means.
///
/// ```swift
/// let time = FeedTime("2016-05-16T18:00:51.95")
/// print(time.taipeiText)                              // 2016年05月16日18時00分
/// print(FeedTime("soon").instant as Any)              // nil
/// ```
///
/// The feeds have written `2015-07-20T18:25:03.123` with none to three digits of a fraction,
/// `20261008131602`, `2025-08-10 21:00:22` and `2026-07-18T21:36:38+08:00`. A text without a zone is of
/// Taipei, wherever the device is.
///
/// A time is its text and nothing else: equal texts are equal times, and it is coded as its text.
public struct FeedTime: Hashable, Sendable {
  /// The text as it came.
  public let rawText: String

  /// The moment, or nil when the text is none that can be meant.
  ///
  /// That is so for every text that is not a date with a time of day, and for years in which no metro
  /// ran or runs: `0001-01-01T00:00:00`, which a server writes for no time at all, and 2559, which is
  /// 2016 in the Buddhist calendar.
  public let instant: Date?

  /// Reads a text; readable or not, it is kept.
  public init(_ rawText: String) {
    self.rawText = rawText
    instant = rawText.utf8.count > 64 ? nil : Self.instant(Self.parser.instant(rawText))
  }

  /// The time at a moment, to the millisecond.
  public init(_ date: Date) {
    self.init(TimestampWriter.iso8601(date, in: .taipei))
  }

  init(rawText: String, instant: Date?) {
    self.rawText = rawText
    self.instant = instant
  }

  /// The time as people in Taipei read it, such as `2016年05月16日18時00分`: seconds are dropped.
  ///
  /// The calendar is the Gregorian one and the zone that of Taipei, whatever the device's are. A text
  /// that cannot be read is given as it came.
  public var taipeiText: String {
    guard let instant else { return rawText }
    let second = Date(
      timeIntervalSinceReferenceDate: instant.timeIntervalSinceReferenceDate.rounded(.down))
    let wall = WallTime(second, in: .taipei)
    return "\(Self.padded(wall.day.year, 4))年\(Self.padded(wall.day.month))月"
      + "\(Self.padded(wall.day.day))日\(Self.padded(wall.hour))時\(Self.padded(wall.minute))分"
  }

  static let parser = TimestampParser(zone: .taipei)

  /// The first trains ran in 1996; a feed that is read in two hundred years has other times to fear.
  private static let plausibleYears = 1996...2199

  /// The moment of what was read, when it can be meant.
  static func instant(_ parsed: ParsedInstant?) -> Date? {
    guard let parsed else { return nil }
    switch parsed.precision {
    case .day, .hour: return nil
    case .minute, .second, .fraction: break
    }
    return plausibleYears.contains(parsed.day.year) ? parsed.date : nil
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension FeedTime: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawText)
  }
}

extension FeedTime: CustomStringConvertible {
  /// The text as it came.
  public var description: String { rawText }
}
