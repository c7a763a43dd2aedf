public import FieldCore

/// A source of weather that queries another source about once an hour for each place.
///
/// A result is cached until an hour after its ``WeatherReport/observedAt``, but for at least ten
/// minutes and at most an hour. A result without a weather or a time is cached for ten minutes.
/// Places within about a hundred meters share a result, and concurrent callers share a request.
/// Failures aren't cached.
public struct CachedWeather: WeatherSource {
  private let source: any WeatherSource
  private let cache: HourlyCache<WeatherReport>

  /// Creates a cache around a source; copies share their results.
  public init(_ source: any WeatherSource, clock: any FieldClock = .system) {
    self.source = source
    cache = HourlyCache(clock: clock)
  }

  /// Returns the weather at a place, from the cache if possible.
  public func weather(at place: Coordinate) async throws -> WeatherReport {
    try await cache.value(
      at: place, measuredAt: { $0.weather == nil ? nil : $0.observedAt }
    ) { [source] in try await source.weather(at: place) }
  }
}

extension WeatherSource {
  /// Returns a source that queries this one about once an hour for each place.
  public func cachedWeather(clock: any FieldClock = .system) -> CachedWeather {
    CachedWeather(self, clock: clock)
  }
}
