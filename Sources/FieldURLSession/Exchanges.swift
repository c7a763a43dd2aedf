internal import Dispatch
internal import FieldCore

/// The running exchanges of a session, and the timer that stops them at their
/// deadlines.
///
/// The session's own timeouts don't help: on Linux they are truncated to whole seconds and start
/// over at every redirect. Neither does a `FieldClock`: a timeout concerns the network, which keeps
/// running while a test's clock stands still. A timer for each exchange would be too expensive, so
/// one wake-up is scheduled for the earliest deadline, and it schedules the next.
final class Exchanges: Sendable {
  /// The queue on which exchanges are stopped. They are never stopped in the caller's cancellation
  /// handler, which holds a lock of the runtime that the session's callbacks may wait for.
  let queue = DispatchQueue(label: "FieldURLSession.exchanges")
  /// The queue on which tasks are started and canceled. On Linux, the session may block it.
  let tasks = DispatchQueue(label: "FieldURLSession.tasks")
  private let state = Lock(State())

  private struct State {
    var running: [ObjectIdentifier: Exchange] = [:]
    var byTask: [Int: Exchange] = [:]
    var wakeUp: DispatchTime?
  }

  subscript(identifier: Int) -> Exchange? {
    state.withLock { $0.byTask[identifier] }
  }

  func add(_ exchange: Exchange, as identifier: Int) {
    state.withLock { $0.byTask[identifier] = exchange }
  }

  /// Adds an exchange, which is stopped at its deadline.
  func add(_ exchange: Exchange) {
    let isEarliest = state.withLock { state in
      state.running[ObjectIdentifier(exchange)] = exchange
      if let wakeUp = state.wakeUp, wakeUp <= exchange.deadline { return false }
      state.wakeUp = exchange.deadline
      return true
    }
    if isEarliest { wakeUp(at: exchange.deadline) }
  }

  func remove(_ exchange: Exchange, _ identifier: Int?) {
    state.withLock { state in
      state.running[ObjectIdentifier(exchange)] = nil
      if let identifier { state.byTask[identifier] = nil }
    }
  }

  private func wakeUp(at time: DispatchTime) {
    queue.asyncAfter(deadline: time) { [weak self] in self?.stopExpired(at: time) }
  }

  private func stopExpired(at time: DispatchTime) {
    let now = DispatchTime.now()
    let (expired, next) = state.withLock { state -> ([Exchange], DispatchTime?) in
      // An earlier deadline was added after this wake-up was scheduled, and its wake-up took over.
      guard state.wakeUp == time else { return ([], nil) }
      state.wakeUp = state.running.values.lazy.map(\.deadline).filter { $0 > now }.min()
      return (state.running.values.filter { $0.deadline <= now }, state.wakeUp)
    }
    for exchange in expired {
      exchange.stopNow(
        FieldError(.timeout, "The response wasn't complete within the request's timeout."))
    }
    if let next { wakeUp(at: next) }
  }
}

extension DispatchTimeInterval {
  /// Creates the interval of a duration, clamped to the range from zero through 1 year.
  init(_ duration: Duration) {
    let bounded = min(max(duration, .zero), .seconds(365 * 86_400))
    let (seconds, attoseconds) = bounded.components
    // An `Int` may have 32 bits, which hold 2.1 seconds in nanoseconds and 24 days in milliseconds.
    if let nanoseconds = Int(exactly: seconds * 1_000_000_000 + attoseconds / 1_000_000_000) {
      self = .nanoseconds(nanoseconds)
    } else if let milliseconds = Int(exactly: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    {
      self = .milliseconds(milliseconds)
    } else {
      self = .seconds(Int(seconds))
    }
  }
}
