/// A time zone that is always the same distance from UTC.
///
/// The sources of the package give times of Taipei and Seoul, where the clocks are not changed.
/// Named zones with summer time need ICU, which the package does without; the host has them in
/// Foundation.
public struct FixedZone: Sendable, Hashable {
  /// The seconds to add to UTC; east is positive.
  public let secondsFromUTC: Int

  /// Makes a zone.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` when the distance is
  ///   more than 18 hours.
  public init(secondsFromUTC: Int) throws {
    guard let zone = FixedZone(validSeconds: secondsFromUTC) else {
      throw FieldError(
        .invalidInput, "a zone is up to 18 hours from UTC, not \(secondsFromUTC) seconds")
    }
    self = zone
  }

  /// Makes a zone, or nil when the distance is more than 18 hours.
  init?(validSeconds seconds: Int) {
    guard (-64_800...64_800).contains(seconds) else { return nil }
    secondsFromUTC = seconds
  }

  private init(hours: Int) { secondsFromUTC = hours * 3600 }

  /// Coordinated universal time.
  public static var utc: FixedZone { FixedZone(hours: 0) }
  /// Taipei: UTC+08:00, without summer time since 1979.
  public static var taipei: FixedZone { FixedZone(hours: 8) }
  /// Seoul: UTC+09:00, without summer time since 1988.
  public static var seoul: FixedZone { FixedZone(hours: 9) }
}

extension FixedZone: CustomStringConvertible {
  /// The distance as ISO 8601 has it: `Z`, `+08:00`, and with seconds should there be any.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.append(zone: self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FixedZone: Codable {
  /// Reads the seconds from UTC.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let seconds = try container.decode(Int.self)
    guard let zone = FixedZone(validSeconds: seconds) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(seconds) seconds from UTC is no zone")
    }
    self = zone
  }

  /// Writes the seconds from UTC.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsFromUTC)
  }
}
