public import FieldCore
public import FieldFoundation

/// A clock on which every sleep ends immediately, but still advances the time.
///
/// Use it if the waits don't matter: retries run without a pause, and ``slept`` lists afterward how
/// long they would have waited. Tasks that sleep concurrently each advance the time, one after
/// another; use a ``ManualClock`` if their order matters.
public final class ImmediateClock: FieldClock {
  private struct State {
    var now: Date
    var uptime = Duration.zero
    var slept: [Duration] = []
  }

  private let state: Lock<State>

  /// Creates a clock that starts at a date, which defaults to the current date.
  ///
  /// Data that a kit fetches with this clock is therefore as old as it looks to code that reads the
  /// system's clock, such as a view that shows its age. Pass a date if the test expects one.
  public init(now: Date = SystemClock.system.now) {
    state = Lock(State(now: now))
  }

  /// The initial date plus the time of all sleeps.
  public var now: Date { state.withLock(\.now) }

  /// The total time of all sleeps.
  public var uptime: Duration { state.withLock(\.uptime) }

  /// The sleeps, in order.
  public var slept: [Duration] { state.withLock(\.slept) }

  /// Advances the time and returns after yielding to other tasks, so that a loop that sleeps
  /// doesn't starve them.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      let passed = max(duration, .zero)
      state.uptime += passed
      state.now.addTimeInterval(passed / .seconds(1))
      state.slept.append(duration)
    }
    await Task.yield()
    try Task.checkCancellation()
  }
}
