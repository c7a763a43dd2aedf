public import FieldCore

/// A source of air quality that queries another source about once an hour for each place.
///
/// A result is cached until an hour after its ``AirQuality/measuredAt``, but for at least ten
/// minutes and at most an hour. A result without a value or a time is cached for ten minutes.
/// Places within about a hundred meters share a result, and concurrent callers share a request.
/// Failures aren't cached.
public struct CachedAirQuality: AirQualitySource {
  private let source: any AirQualitySource
  private let cache: HourlyCache<AirQuality>

  /// Creates a cache around a source; copies share their results.
  public init(_ source: any AirQualitySource, clock: any FieldClock = .system) {
    self.source = source
    cache = HourlyCache(clock: clock)
  }

  /// Returns the fine dust at a place, from the cache if possible.
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    try await cache.value(
      at: place,
      measuredAt: { $0.pm10 == nil && $0.pm25 == nil ? nil : $0.measuredAt }
    ) { [source] in try await source.airQuality(at: place) }
  }
}

extension AirQualitySource {
  /// Returns a source that queries this one about once an hour for each place.
  public func cachedAirQuality(clock: any FieldClock = .system) -> CachedAirQuality {
    CachedAirQuality(self, clock: clock)
  }
}
