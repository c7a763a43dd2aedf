import Foundation

/// The server's counters, in the text format of Prometheus.
final class Metrics: Sendable {
  private struct State: Sendable {
    var responses: [Int: Int] = [:]
    var seconds = 0.0
    var inFlight = 0
    var refreshes: [String: Int] = [:]
    var failures: [String: Int] = [:]
  }

  private let state = Locked(State())
  private let start = ContinuousClock.now

  /// Counts a request that begins; `false` if too many are in flight.
  func begin(limit: Int) -> Bool {
    state.withLock { state in
      guard state.inFlight < limit else { return false }
      state.inFlight += 1
      return true
    }
  }

  func end(status: Int, duration: Duration) {
    state.withLock { state in
      state.inFlight -= 1
      state.responses[status, default: 0] += 1
      state.seconds += duration / .seconds(1)
    }
  }

  func refreshed(_ kit: String, failed: Bool) {
    state.withLock { state in
      state.refreshes[kit, default: 0] += 1
      if failed { state.failures[kit, default: 0] += 1 }
    }
  }

  /// The present values, with those of gauges that the caller knows.
  func text(gauges: [(name: String, value: Int)]) -> String {
    let state = state.withLock { $0 }
    var text = "# TYPE atlas_http_responses_total counter\n"
    for (status, count) in state.responses.sorted(by: { $0.key < $1.key }) {
      text += "atlas_http_responses_total{status=\"\(status)\"} \(count)\n"
    }
    text += "# TYPE atlas_http_seconds_total counter\natlas_http_seconds_total \(state.seconds)\n"
    text += "# TYPE atlas_http_in_flight gauge\natlas_http_in_flight \(state.inFlight)\n"
    text += "# TYPE atlas_refreshes_total counter\n"
    for (kit, count) in state.refreshes.sorted(by: { $0.key < $1.key }) {
      text += "atlas_refreshes_total{kit=\"\(kit)\"} \(count)\n"
    }
    text += "# TYPE atlas_refresh_failures_total counter\n"
    for (kit, count) in state.failures.sorted(by: { $0.key < $1.key }) {
      text += "atlas_refresh_failures_total{kit=\"\(kit)\"} \(count)\n"
    }
    text += "# TYPE atlas_uptime_seconds gauge\n"
    text += "atlas_uptime_seconds \((ContinuousClock.now - start) / .seconds(1))\n"
    for gauge in gauges {
      text += "# TYPE atlas_\(gauge.name) gauge\natlas_\(gauge.name) \(gauge.value)\n"
    }
    return text
  }
}
