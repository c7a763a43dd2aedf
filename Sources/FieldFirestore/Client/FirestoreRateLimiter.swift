internal import FieldCore

/// Limits the rate of bulk writes by Google's 500/50/5 rule: begin with 500 writes per second, and
/// increase by 50% every 5 minutes.
final class FirestoreRateLimiter: Sendable {
  private struct State {
    var start: Duration?
    var available = 0.0
    var last = Duration.zero
  }

  private let clock: any FieldClock
  private let state = Lock(State())

  init(clock: any FieldClock) { self.clock = clock }

  /// Returns the allowed writes per second at a time after the first write.
  static func rate(after elapsed: Duration) -> Double {
    // After eight steps of 50 %, the rate is above the limit.
    let steps = max(0, min(Int(limiting: (elapsed / .seconds(300)).rounded(.down)), 8))
    return min((0..<steps).reduce(500.0) { rate, _ in rate * 1.5 }, 10_000)
  }

  /// Waits until the given number of writes may be sent.
  func wait(for count: Int) async throws {
    while true {
      let delay = reserve(count)
      guard delay > .zero else { return }
      try await clock.sleep(for: delay)
    }
  }

  /// Reserves the given number of writes, or returns the time until they are available.
  private func reserve(_ count: Int) -> Duration {
    let now = clock.uptime
    return state.withLock { state in
      let start = state.start ?? now
      let rate = Self.rate(after: now - start)
      if state.start == nil {
        (state.start, state.available) = (now, rate)
      } else {
        state.available = min(rate, state.available + rate * ((now - state.last) / .seconds(1)))
      }
      state.last = now
      let wanted = min(Double(count), rate)
      if state.available >= wanted - 1e-6 {
        state.available -= wanted
        return .zero
      }
      return .seconds((wanted - state.available) / rate) + .milliseconds(1)
    }
  }
}
