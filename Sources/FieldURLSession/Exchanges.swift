internal import Dispatch
internal import FieldCore

/// The exchanges of a session that are under way, by the identifier of their task, and the one clock
/// that ends them when their time is over.
///
/// The session's own timeouts are no help: on Linux they count whole seconds, cut off, and start anew
/// at every redirect. Nor is a `FieldClock`: a timeout is a promise about the network, which goes on
/// while a clock of a test stands still. A timer for each exchange would cost more than it is worth;
/// here one wake-up is under way for the earliest deadline, and the others look at it in passing.
final class Exchanges: Sendable {
  /// Where exchanges are stopped: never in the caller's cancellation handler, which holds a lock of
  /// the runtime that the session's callbacks may wait for.
  let queue = DispatchQueue(label: "FieldURLSession.exchanges")
  private let state = Lock(State())

  private struct State {
    var running: [Int: Exchange] = [:]
    var wakeUp: DispatchTime?
  }

  subscript(identifier: Int) -> Exchange? {
    state.withLock { $0.running[identifier] }
  }

  func add(_ exchange: Exchange, as identifier: Int) {
    let isEarliest = state.withLock { state in
      state.running[identifier] = exchange
      if let wakeUp = state.wakeUp, wakeUp <= exchange.deadline { return false }
      state.wakeUp = exchange.deadline
      return true
    }
    if isEarliest { wakeUp(at: exchange.deadline) }
  }

  func remove(_ identifier: Int) {
    state.withLock { _ = $0.running.removeValue(forKey: identifier) }
  }

  private func wakeUp(at time: DispatchTime) {
    queue.asyncAfter(deadline: time) { [weak self] in self?.stopExpired(at: time) }
  }

  private func stopExpired(at time: DispatchTime) {
    let now = DispatchTime.now()
    let (expired, next) = state.withLock { state -> ([Exchange], DispatchTime?) in
      // An earlier deadline came in after this wake-up was set, and another one took over.
      guard state.wakeUp == time else { return ([], nil) }
      state.wakeUp = state.running.values.lazy.map(\.deadline).filter { $0 > now }.min()
      return (state.running.values.filter { $0.deadline <= now }, state.wakeUp)
    }
    for exchange in expired {
      exchange.stopNow(FieldError(.timeout, "no whole answer came within the request's timeout"))
    }
    if let next { wakeUp(at: next) }
  }
}

extension DispatchTimeInterval {
  /// The interval of a duration, at most a year and at least nothing.
  init(_ duration: Duration) {
    let bounded = min(max(duration, .zero), .seconds(365 * 86_400))
    let (seconds, attoseconds) = bounded.components
    self = .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
