public import FieldCore
public import FieldFoundation

/// A clock on which every sleep is over at once, and time has passed all the same.
///
/// Use it where waits are of no interest: retries run through without a pause, and ``slept`` tells
/// afterwards how long they would have waited. Tasks that sleep side by side each move the time on,
/// one after the other; use a ``ManualClock`` where their order matters.
public final class ImmediateClock: FieldClock {
  private struct State {
    var now: Date
    var uptime = Duration.zero
    var slept: [Duration] = []
  }

  private let state: Lock<State>

  /// Makes a clock that begins at a date: 2026-01-01 00:00:00 UTC, unless told otherwise.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    state = Lock(State(now: now))
  }

  /// The date at the beginning and all that was slept since.
  public var now: Date { state.withLock(\.now) }

  /// All that was slept.
  public var uptime: Duration { state.withLock(\.uptime) }

  /// The sleeps, in order.
  public var slept: [Duration] { state.withLock(\.slept) }

  /// Moves the time on and returns, after giving other tasks a turn, so that a loop that sleeps does
  /// not keep them from running; throws `CancellationError` when the task is cancelled.
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
