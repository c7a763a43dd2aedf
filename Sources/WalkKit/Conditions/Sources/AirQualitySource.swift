public import FieldCore

/// Says how much fine dust is in the air at a place now.
///
/// ### When to use it
///
/// Ask it before a walk, to give advice, or when a walk ends, and give the grade to the recorder's
/// `finish(weather:dust:)`. A walk without a grade is as good as any.
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
/// Throw `FieldError` or `CancellationError`. A value that was not measured is nil; never fill it from
/// a grade, from another hour or from another station without saying so in the answer.
///
/// ### How to test it
///
/// `FakeWeather` of `FieldFakes` is a transport that answers as the services do.
public protocol AirQualitySource: Sendable {
  /// The fine dust at a place, as it was measured last.
  func airQuality(at place: Coordinate) async throws -> AirQuality
}
