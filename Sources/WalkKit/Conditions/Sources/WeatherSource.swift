public import FieldCore

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
