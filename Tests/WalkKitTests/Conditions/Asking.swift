import FieldCore
import Testing
import WalkKit

/// The error with which a source answers; nil, and an issue, when it answers otherwise.
func errorAnswer(
  of source: some WeatherSource, at place: Coordinate,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> FieldError? {
  await #expect(throws: FieldError.self, sourceLocation: sourceLocation) {
    try await source.weather(at: place)
  }
}

/// The error with which a source answers; nil, and an issue, when it answers otherwise.
func errorAnswer(
  ofAir source: some AirQualitySource, at place: Coordinate,
  sourceLocation: SourceLocation = #_sourceLocation
) async -> FieldError? {
  await #expect(throws: FieldError.self, sourceLocation: sourceLocation) {
    try await source.airQuality(at: place)
  }
}
