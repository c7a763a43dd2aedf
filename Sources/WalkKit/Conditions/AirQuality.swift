public import FieldFoundation

/// The amounts of fine dust that a station measured, in µg/m³.
///
/// ```swift
/// let air = AirQuality(pm10: 45, pm25: 38)
/// air.grade()                  // .bad on Korea's scale: the worse of both grades
/// air.grade(.openWeather)      // .moderate
/// ```
///
/// Values that weren't measured are `nil`, whatever grade a source states for them.
public struct AirQuality: Sendable, Hashable, Codable {
  /// The mass of particles below 10 µm, in µg/m³: at least 0, or `nil` without a reliable value.
  public let pm10: Double?
  /// The mass of particles below 2.5 µm, in µg/m³: at least 0, or `nil` without a reliable value.
  public let pm25: Double?
  /// The time of the measurement; `nil` if the source doesn't state it.
  public let measuredAt: Date?
  /// The source's name for the station.
  public let station: String?
  /// The reason that the station reports no PM10; `nil` if it reports a value or no reason.
  public let pm10Flag: Flag?
  /// The reason that the station reports no PM2.5; `nil` if it reports a value or no reason.
  public let pm25Flag: Flag?

  /// Creates a measurement; a value that is negative, not a number, or 9,999 or more, which some
  /// sources write for none, becomes `nil`.
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

  /// Returns the grade on a scale, or `nil` if neither value is known.
  public func grade(_ scale: DustScale = .korea2018) -> DustGrade? {
    scale.grade(pm10: pm10, pm25: pm25)
  }

  /// A word that a station reports in place of a value.
  public struct Flag: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The source's word, such as `통신장애`.
    public let rawValue: String
    /// Creates a flag from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The source's word.
    public var description: String { rawValue }

    /// The connection to the station is down.
    public static var communicationFailure: Self { Self(rawValue: "통신장애") }
    /// The station is being checked and calibrated.
    public static var maintenance: Self { Self(rawValue: "점검및교정") }
    /// The values are implausible.
    public static var implausible: Self { Self(rawValue: "자료이상") }
  }

  /// Returns a value if it can have been measured, or `nil` otherwise.
  static func measured(_ value: Double?) -> Double? {
    guard let value, value >= 0, value < 9_999 else { return nil }
    return value
  }

  /// Creates a measurement from its encoded form; invalid values become `nil`, as in the memberwise
  /// initializer.
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
