public import FieldCore

/// A type that returns the amount of fine dust in the air at a place.
///
/// ### When to use it
///
/// Query the source before a walk to give advice, or when a walk ends, and pass the grade to the
/// recorder's `finish(weather:dust:)`. A grade is optional.
///
/// ### How to use it
///
/// ```swift
/// let source = AirKorea(key: key, stations: stations, transport: URLSessionTransport())
/// let air = try await source.airQuality(at: place)
/// print(air.grade()?.koreanName ?? "", air.station ?? "")
/// ```
///
/// ### How to implement it
///
/// Throw `FieldError` or `CancellationError`. Return `nil` for values that weren't measured. Never
/// derive them from a grade, and never take them from another hour or station without saying so in
/// the result.
///
/// ### How to test it
///
/// `FakeWeather` in `FieldFakes` is a transport that responds like the services.
public protocol AirQualitySource: Sendable {
  /// Returns the last measurement of the fine dust at a place.
  func airQuality(at place: Coordinate) async throws -> AirQuality
}

/// An air quality station, under its name in AirKorea.
public struct AirStation: Sendable, Hashable, Codable, Identifiable {
  /// The name, such as `종로구`.
  public var name: String
  /// The location of the station.
  public var coordinate: Coordinate

  /// Creates a station.
  public init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
  }

  /// The name of the station.
  public var id: String { name }
}

/// A type that returns the current weather at a place.
///
/// ### When to use it
///
/// Query the source when a walk ends, and pass the weather to the recorder's
/// `finish(weather:dust:)`. Weather is optional, so save the walk even if the query fails.
///
/// ### How to use it
///
/// ```swift
/// let source = OpenWeather(key: key, transport: URLSessionTransport())
/// let report = try await source.weather(at: place)
/// print(report.weather?.koreanName ?? "", report.temperatureInCelsius as Any)
/// ```
///
/// ### How to implement it
///
/// Throw `FieldError` or `CancellationError`. Return `nil` for values that the service doesn't
/// report.
///
/// ### How to test it
///
/// `FakeWeather` in `FieldFakes` is a transport that responds like the services.
public protocol WeatherSource: Sendable {
  /// Returns the current weather at a place.
  func weather(at place: Coordinate) async throws -> WeatherReport
}
