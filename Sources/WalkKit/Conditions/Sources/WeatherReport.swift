public import FieldFoundation

/// The weather at a place and time, as far as the service reports it.
///
/// The sources omit values that can't be true, such as a temperature of 280 °C, which is in kelvins.
public struct WeatherReport: Sendable, Hashable, Codable {
  /// The weather.
  public var weather: WalkWeather?
  /// The air temperature, in °C.
  public var temperatureInCelsius: Double?
  /// The relative humidity, from 0 through 100.
  public var humidityInPercent: Double?
  /// The wind speed, in m/s.
  public var windSpeedInMetersPerSecond: Double?
  /// The time of the observation.
  public var observedAt: Date?
  /// The service's name for the place.
  public var placeName: String?

  /// Creates a report.
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
