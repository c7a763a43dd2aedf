/// A time zone with a fixed offset from UTC.
///
/// The sources of the package use the times of Taipei and Seoul, which don't change their clocks.
/// Zones with daylight saving time need ICU, which the package doesn't link; use Foundation's
/// `TimeZone` for them.
public struct FixedZone: Sendable, Hashable {
  /// The offset from UTC, in seconds, which is positive east of Greenwich.
  public let secondsFromUTC: Int

  /// Creates a time zone.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the offset is more
  ///   than 18 hours.
  public init(secondsFromUTC: Int) throws {
    guard let zone = FixedZone(validSeconds: secondsFromUTC) else {
      throw FieldError(
        .invalidInput,
        "A zone must be within 18 hours of UTC, but this one is \(secondsFromUTC) seconds.")
    }
    self = zone
  }

  /// Creates a time zone, or `nil` if the offset is more than 18 hours.
  init?(validSeconds seconds: Int) {
    guard (-64_800...64_800).contains(seconds) else { return nil }
    secondsFromUTC = seconds
  }

  private init(hours: Int) { secondsFromUTC = hours * 3600 }

  /// Coordinated universal time.
  public static var utc: FixedZone { FixedZone(hours: 0) }
  /// Taipei: UTC+08:00, without daylight saving time since 1979.
  public static var taipei: FixedZone { FixedZone(hours: 8) }
  /// Seoul: UTC+09:00, without daylight saving time since 1988.
  public static var seoul: FixedZone { FixedZone(hours: 9) }
}

extension FixedZone: CustomStringConvertible {
  /// The offset in the format of ISO 8601: `Z` or `+08:00`, with seconds if there are any.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.append(zone: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FixedZone: Codable {
  /// Creates a zone from its offset from UTC, in seconds.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let seconds = try container.decode(Int.self)
    guard let zone = FixedZone(validSeconds: seconds) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(seconds) seconds from UTC isn't a time zone")
    }
    self = zone
  }

  /// Encodes the offset from UTC, in seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsFromUTC)
  }
}
