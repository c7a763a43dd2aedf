internal import FieldCore

/// Limits the rate of bulk writes by Google's rule 500/50/5: begin with 500 writes a second, and go up by 50%
/// every 5 minutes.
final class FirestoreRateLimiter: Sendable {
  private struct State {
    var start: Duration?
    var available = 0.0
    var last = Duration.zero
  }

  private let clock: any FieldClock
  private let state = Lock(State())

  init(clock: any FieldClock) { self.clock = clock }

  /// The writes a second, so long after the first.
  static func rate(after elapsed: Duration) -> Double {
    var rate = 500.0
    var left = Int(elapsed / .seconds(300))
    while left > 0, rate < 10_000 {
      rate *= 1.5
      left -= 1
    }
    return min(rate, 10_000)
  }

  /// Waits until so many writes may be sent.
  func wait(for count: Int) async throws {
    while true {
      let delay = reserve(count)
      guard delay > .zero else { return }
      try await clock.sleep(for: delay)
    }
  }

  /// Takes so many writes from what is available, or returns how long that will take.
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
