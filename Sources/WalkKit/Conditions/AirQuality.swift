public import FieldFoundation

/// How much fine dust a station measured, in µg/m³.
///
/// ```swift
/// let air = AirQuality(pm10: 45, pm25: 38)
/// air.grade()                  // .bad on Korea's scale: the worse of both counts
/// air.grade(.openWeather)      // .moderate
/// ```
///
/// What was not measured is nil and stays nil, whatever a source says of its grade.
public struct AirQuality: Sendable, Hashable, Codable {
  /// Particles below 10 µm, in µg/m³: at least 0, or nil when there is no value to trust.
  public let pm10: Double?
  /// Particles below 2.5 µm, in µg/m³: at least 0, or nil when there is no value to trust.
  public let pm25: Double?
  /// The moment that the values are for; nil when the source does not say.
  public let measuredAt: Date?
  /// The station, as the source calls it.
  public let station: String?
  /// Why the station gives no PM10; nil when it gives one, or does not say.
  public let pm10Flag: Flag?
  /// Why the station gives no PM2.5; nil when it gives one, or does not say.
  public let pm25Flag: Flag?

  /// Makes a measurement; a value that is below zero, infinite or no number is none.
  public init(
    pm10: Double? = nil, pm25: Double? = nil, measuredAt: Date? = nil, station: String? = nil,
    pm10Flag: Flag? = nil, pm25Flag: Flag? = nil
  ) {
    self.pm10 = Self.measured(pm10)
    self.pm25 = Self.measured(pm25)
    self.measuredAt = measuredAt
    self.station = station
    self.pm10Flag = pm10Flag
    self.pm25Flag = pm25Flag
  }

  /// The grade on a scale; nil when neither value is known.
  public func grade(_ scale: DustScale = .korea2018) -> DustGrade? {
    scale.grade(pm10: pm10, pm25: pm25)
  }

  /// What a station says in place of a value.
  public struct Flag: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The word as the source has it, such as `통신장애`.
    public let rawValue: String
    /// Makes a flag from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word as the source has it.
    public var description: String { rawValue }

    /// The line to the station is down.
    public static var communicationFailure: Self { Self(rawValue: "통신장애") }
    /// The station is being checked and calibrated.
    public static var maintenance: Self { Self(rawValue: "점검및교정") }
    /// The values cannot be right.
    public static var implausible: Self { Self(rawValue: "자료이상") }
  }

  /// A value that can have been measured; nil for all others.
  static func measured(_ value: Double?) -> Double? {
    guard let value, value.isFinite, value >= 0 else { return nil }
    return value
  }
}

extension AirQuality {
  private enum CodingKeys: String, CodingKey {
    case pm10, pm25, measuredAt, station, pm10Flag, pm25Flag
  }

  /// Reads a measurement; a value below zero is none, as in the initialiser.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      pm10: try container.decodeIfPresent(Double.self, forKey: .pm10),
      pm25: try container.decodeIfPresent(Double.self, forKey: .pm25),
      measuredAt: try container.decodeIfPresent(Date.self, forKey: .measuredAt),
      station: try container.decodeIfPresent(String.self, forKey: .station),
      pm10Flag: try container.decodeIfPresent(Flag.self, forKey: .pm10Flag),
      pm25Flag: try container.decodeIfPresent(Flag.self, forKey: .pm25Flag))
  }
}
