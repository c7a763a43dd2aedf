internal import FieldCore
internal import FieldFoundation

/// Answers by place, each for about an hour, and one question at a time for each place.
final class HourlyCache<Value: Sendable>: Sendable {
  /// A square of three digits of latitude and longitude, as places are asked for.
  private struct Square: Hashable {
    var latitude: String
    var longitude: String
  }

  private struct Entry {
    var value: Value
    var end: Date
  }

  private struct State {
    var entries: [Square: Entry] = [:]
    var flights: [Square: SingleFlight<Value>] = [:]
  }

  /// A dog walks in few places.
  private static var largestCount: Int { 256 }
  private static var hour: TimeInterval { 3600 }
  private static var shortest: TimeInterval { 600 }

  private let clock: any FieldClock
  private let state = Lock(State())

  init(clock: any FieldClock) { self.clock = clock }

  /// The answer that is known, or the one that `ask` gives.
  ///
  /// - Parameter measuredAt: The moment that an answer is for, or nil when it has no value to keep.
  func value(
    at place: Coordinate, measuredAt: @escaping @Sendable (Value) -> Date?,
    _ ask: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    // A flight that nobody boards would stay for ever.
    try Task.checkCancellation()
    let asked = place.asked
    let square = Square(latitude: asked.latitude, longitude: asked.longitude)
    let now = clock.now
    let (known, flight) = state.withLock { state -> (Value?, SingleFlight<Value>) in
      // A clock that was set back must not keep an answer for longer than an hour.
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
      // The run before this one may have landed since the answer was looked for.
      if let known = state.withLock({ $0.entries[square] }), known.end > clock.now {
        return known.value
      }
      let value = try await ask()
      keep(value, for: square, measuredAt: measuredAt(value))
      return value
    }
  }

  private func keep(_ value: Value, for square: Square, measuredAt: Date?) {
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
      state.entries[square] = Entry(value: value, end: limited)
    }
  }
}
