public import FieldFoundation

/// The weather at a place and a moment, as far as the service says it.
public struct WeatherReport: Sendable, Hashable, Codable {
  /// What the sky is like.
  public var weather: WalkWeather?
  /// The temperature of the air, in °C.
  public var temperatureInCelsius: Double?
  /// The relative humidity, 0 to 100.
  public var humidityInPercent: Double?
  /// The speed of the wind, in m/s.
  public var windSpeedInMetersPerSecond: Double?
  /// The moment that the report is for.
  public var observedAt: Date?
  /// The name that the service has for the place.
  public var placeName: String?

  /// Makes a report.
  public init(
    weather: WalkWeather? = nil, temperatureInCelsius: Double? = nil,
    humidityInPercent: Double? = nil,
    windSpeedInMetersPerSecond: Double? = nil, observedAt: Date? = nil, placeName: String? = nil
  ) {
    self.weather = weather
    self.temperatureInCelsius = temperatureInCelsius
    self.humidityInPercent = humidityInPercent
    self.windSpeedInMetersPerSecond = windSpeedInMetersPerSecond
    self.observedAt = observedAt
    self.placeName = placeName
  }
}
