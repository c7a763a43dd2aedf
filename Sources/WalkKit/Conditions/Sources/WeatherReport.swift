internal import FieldCore
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

extension JSONValue {
  /// The content of a text or a number, without the space around it; `nil` if it is empty, or a
  /// placeholder such as `-` or `null`.
  var words: String? {
    switch self {
    case .string(let text), .number(let text):
      let words = text.tidy
      return RowText.isVoid(words) || words.lowercased() == "null" ? nil : words
    case .null, .bool, .array, .object: return nil
    }
  }
}

extension StringProtocol {
  /// The text without the space around it, including ideographic and no-break spaces and a
  /// byte-order mark. Words are looked up in tables, so long runs of combining marks are divided.
  var tidy: String {
    var scalars = Substring(self).unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(Substring(scalars)).streamSafe
  }
}
