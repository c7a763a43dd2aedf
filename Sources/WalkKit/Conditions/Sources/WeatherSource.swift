public import FieldCore

/// Says what the weather is at a place now.
///
/// ### When to use it
///
/// Ask it when a walk ends, and give what it says to the recorder's `finish(weather:dust:)`. A walk
/// without weather is as good as any, so a failure here is no reason not to save one.
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
/// Throw `FieldError` or `CancellationError`. Leave nil what the service does not say.
///
/// ### How to test it
///
/// `FakeWeather` of `FieldFakes` is a transport that answers as the services do.
public protocol WeatherSource: Sendable {
  /// The weather at a place now.
  func weather(at place: Coordinate) async throws -> WeatherReport
}
