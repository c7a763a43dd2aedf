internal import FieldCore
internal import FieldFoundation

/// A response of OpenWeather, parsed without trusting the types of its numbers.
struct OpenWeatherAnswer {
  private let body: JSONValue

  /// Parses a body, and throws the error that the service reports.
  init(_ bytes: [UInt8]) throws {
    body = try JSONDocument.value(bytes)
    guard case .object = body else { throw FieldError(.schema, "The response isn't an object.") }
    // `cod` is 200, "200", or missing in a success, and the status in an error, as a number or
    // text.
    guard let status = body["cod"]?.integer, status != 200 else { return }
    let message = body["message"]?.words ?? "no reason given"
    let code: FieldError.Code =
      switch status {
      case 401, 403: .serviceKeyRefused
      case 404: .noConditions
      case 429: .tooManyRequests
      default: .conditionsRefused
      }
    throw FieldError(code, "OpenWeather responded with \(status): \(message.prefix(300))")
  }

  func report() throws -> WeatherReport {
    guard body["weather"] != nil || body["main"] != nil else {
      throw FieldError(.schema, "The response has neither `weather` nor `main`.")
    }
    // The first condition is the primary one.
    let condition = body["weather"]?.elements?.first
    let main = body["main"]
    // Values outside these limits are in other units, such as kelvins, or marks for none, such as
    // -9999. The records near the ground are -89.2 °C, 56.7 °C, and 113 m/s.
    func value(_ json: JSONValue?, in limits: ClosedRange<Double>) -> Double? {
      json?.double.flatMap { limits.contains($0) ? $0 : nil }
    }
    return WeatherReport(
      weather: condition.flatMap(Self.weather),
      temperatureInCelsius: value(main?["temp"], in: -95...65),
      humidityInPercent: value(main?["humidity"], in: 0...100),
      windSpeedInMetersPerSecond: value(body["wind"]?["speed"], in: 0...120),
      observedAt: Self.moment(body["dt"]),
      placeName: body["name"]?.words)
  }

  func air() throws -> AirQuality {
    guard let entries = body["list"]?.elements else {
      throw FieldError(.schema, "The response has no list.")
    }
    let newest = entries.max { ($0["dt"]?.int64 ?? .min) < ($1["dt"]?.int64 ?? .min) }
    guard let newest else {
      throw FieldError(.noConditions, "OpenWeather has no air pollution data for this place.")
    }
    let components = newest["components"]
    return AirQuality(
      pm10: components?["pm10"]?.double, pm25: components?["pm2_5"]?.double,
      measuredAt: Self.moment(newest["dt"]))
  }

  /// Returns the weather of a condition. The code is the most specific, then the icon, then the
  /// word.
  private static func weather(_ condition: JSONValue) -> WalkWeather? {
    condition["id"]?.integer.flatMap(WalkWeather.init(openWeatherID:))
      ?? condition["icon"]?.string.flatMap(WalkWeather.init(openWeatherIcon:))
      ?? condition["main"]?.string.flatMap { WalkWeather($0) }
  }

  /// Returns a date from Unix seconds, or `nil` for 0, which means none, and for dates outside the
  /// calendar.
  private static func moment(_ value: JSONValue?) -> Date? {
    guard let seconds = value?.double, seconds > 0, seconds < 253_402_300_800 else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }
}
