public import FieldCore

/// A source of air quality that asks another one about once an hour for each place.
///
/// An answer is kept for an hour after its ``AirQuality/measuredAt``, for ten minutes at least and an
/// hour at most; one without a value or a moment for ten
/// minutes. Places within about a hundred metres share an
/// answer, and callers who ask for one at the same time share a request. Failures are not kept.
public struct CachedAirQuality: AirQualitySource {
  private let source: any AirQualitySource
  private let cache: HourlyCache<AirQuality>

  /// Wraps a source; copies of the value share their answers.
  public init(_ source: any AirQualitySource, clock: any FieldClock = .system) {
    self.source = source
    cache = HourlyCache(clock: clock)
  }

  /// The fine dust at a place, from memory when it is known.
  public func airQuality(at place: Coordinate) async throws -> AirQuality {
    try await cache.value(
      at: place,
      measuredAt: { $0.pm10 == nil && $0.pm25 == nil ? nil : $0.measuredAt }
    ) { [source] in try await source.airQuality(at: place) }
  }
}

extension AirQualitySource {
  /// The source, asked about once an hour for each place.
  public func cachedAirQuality(clock: any FieldClock = .system) -> CachedAirQuality {
    CachedAirQuality(self, clock: clock)
  }
}
