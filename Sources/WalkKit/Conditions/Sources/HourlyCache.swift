internal import FieldCore
internal import FieldFoundation

/// A cache of results by place, each for about an hour, with one request at a time for each place.
final class HourlyCache<Value: Sendable>: Sendable {
  private typealias Entry = (value: Value, end: Date)

  private struct State {
    var entries: [AskedPlace: Entry] = [:]
    var flights: [AskedPlace: SingleFlight<Value>] = [:]
  }

  /// The maximum number of places; a dog walks in few.
  private static var largestCount: Int { 256 }
  private static var hour: TimeInterval { 3600 }
  private static var shortest: TimeInterval { 600 }

  private let clock: any FieldClock
  private let state = Lock(State())

  init(clock: any FieldClock) { self.clock = clock }

  /// Returns the cached result, or the one that `ask` returns; a result without a time has no value
  /// to cache.
  func value(
    at place: Coordinate, measuredAt: @escaping @Sendable (Value) -> Date?,
    _ ask: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // A single flight that is never run would stay forever.
    try Task.checkCancellation()
    let square = AskedPlace(place)
    let now = clock.now
    let (known, flight) = state.withLock { state -> (Value?, SingleFlight<Value>) in
      // If the clock was set back, a result must not be cached for more than an hour.
      state.entries = state.entries.filter {
        $0.value.end > now && $0.value.end <= now.addingTimeInterval(Self.hour)
      }
      let flight = state.flights[square] ?? SingleFlight()
      if state.entries[square] == nil { state.flights[square] = flight }
      return (state.entries[square]?.value, flight)
    }
    if let known { return known }
    return try await flight.run { [self] in
      defer {
        state.withLock { state in
          if state.flights[square] === flight { state.flights[square] = nil }
        }
      }
      // The previous run may have finished since the cache was checked.
      if let known = state.withLock({ $0.entries[square] }), known.end > clock.now {
        return known.value
      }
      let value = try await ask()
      keep(value, for: square, measuredAt: measuredAt(value))
      return value
    }
  }

  private func keep(_ value: Value, for square: AskedPlace, measuredAt: Date?) {
    let now = clock.now
    let end = measuredAt.map { $0.addingTimeInterval(Self.hour) } ?? now
    let limited = min(
      max(end, now.addingTimeInterval(Self.shortest)), now.addingTimeInterval(Self.hour))
    state.withLock { state in
      if state.entries.count >= Self.largestCount,
        let oldest = state.entries.min(by: { $0.value.end < $1.value.end })
      {
        state.entries[oldest.key] = nil
      }
      state.entries[square] = (value, limited)
    }
  }
}
