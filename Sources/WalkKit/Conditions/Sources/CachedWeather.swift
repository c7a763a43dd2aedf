public import FieldCore

/// A source of weather that asks another one about once an hour for each place.
///
/// An answer is kept for an hour after its ``WeatherReport/observedAt``, for ten minutes at least and an
/// hour at most; one without a weather or a moment for ten
/// minutes. Places within about a hundred metres share an
/// answer, and callers who ask for one at the same time share a request. Failures are not kept.
public struct CachedWeather: WeatherSource {
  private let source: any WeatherSource
  private let cache: HourlyCache<WeatherReport>

  /// Wraps a source; copies of the value share their answers.
  public init(_ source: any WeatherSource, clock: any FieldClock = .system) {
    self.source = source
    cache = HourlyCache(clock: clock)
  }

  /// The weather at a place, from memory when it is known.
  public func weather(at place: Coordinate) async throws -> WeatherReport {
    try await cache.value(
      at: place, measuredAt: { $0.weather == nil ? nil : $0.observedAt }
    ) { [source] in try await source.weather(at: place) }
  }
}

extension WeatherSource {
  /// The source, asked about once an hour for each place.
  public func cachedWeather(clock: any FieldClock = .system) -> CachedWeather {
    CachedWeather(self, clock: clock)
  }
}
