public import FieldCore
public import FieldFoundation

/// A clock that stands still until a test advances it.
///
/// ### How to use it
///
/// Start the work, wait until it sleeps, and advance the clock:
///
/// ```swift
/// let clock = ManualClock()
/// async let response = stub.retrying(clock: clock).send(request)
/// let wait = try await clock.nextSleep()          // suspends until something sleeps
/// #expect(wait <= .milliseconds(500))
/// clock.advance(by: wait)
/// _ = try await response
/// ```
///
/// Nothing here depends on the scheduler: ``nextSleep()`` returns when a sleep has been registered,
/// and ``advance(by:)`` has resumed every sleep that is due when it returns. So tests need neither
/// yields nor real waits.
///
/// ### How it counts
///
/// ``uptime`` begins at zero and only increases. ``now`` advances with it, and can be set
/// separately with ``set(now:)``, like a user who sets the device's clock; sleeps follow ``uptime``
/// and aren't affected.
public final class ManualClock: FieldClock {
  private struct Sleeper {
    var duration: Duration
    var deadline: Duration
    var isReported: Bool
    var continuation: CheckedContinuation<Void, any Error>
  }

  private typealias Watcher = CheckedContinuation<Duration, any Error>

  private struct State {
    var now: Date
    var uptime = Duration.zero
    var nextNumber = 0
    var sleepers: [Int: Sleeper] = [:]
    var watchers: [Int: Watcher] = [:]

    mutating func number() -> Int {
      nextNumber += 1
      return nextNumber
    }
  }

  private let state: Lock<State>

  /// Creates a clock that stands at a date, which defaults to 2026-01-01 00:00:00 UTC.
  public init(now: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
    state = Lock(State(now: now))
  }

  /// The date and time at which the clock stands.
  public var now: Date { state.withLock(\.now) }

  /// The total time by which the clock has been advanced.
  public var uptime: Duration { state.withLock(\.uptime) }

  /// The number of tasks that sleep on the clock.
  public var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Advances both times and wakes the tasks that are due, earliest first.
  ///
  /// The time advances in one step: a task that wakes and sleeps again sleeps from the new time on.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "Uptime never goes back. Use set(now:) for the date.")
    let woken = state.withLock { state in
      state.uptime += duration
      state.now.addTimeInterval(duration / .seconds(1))
      let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Sets only the date and time, which wakes no task.
  public func set(now: Date) { state.withLock { $0.now = now } }

  /// Waits until a task sleeps on the clock, and returns the duration of the sleep.
  ///
  /// Every sleep is returned once, in the order in which they began, and only while it lasts; so
  /// the call returns immediately if an unreported sleep is in progress. Sleeps of zero or less end
  /// immediately and aren't reported.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func nextSleep() async throws -> Duration {
    let watcher = state.withLock { $0.number() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Duration, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          let oldest = state.sleepers.filter { !$0.value.isReported }.min { $0.key < $1.key }
          guard let oldest else {
            state.watchers[watcher] = continuation
            return nil
          }
          state.sleepers[oldest.key]?.isReported = true
          return .success(oldest.value.duration)
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      state.withLock { $0.watchers.removeValue(forKey: watcher) }?
        .resume(throwing: CancellationError())
    }
  }

  /// Waits until the clock has advanced by the duration.
  public func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    let sleeper = state.withLock { $0.number() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Cancellation is checked under the lock: `onCancel` runs after the task's flag is set and
        // waits for the lock, so one of the two sees the other.
        let outcome = state.withLock { state -> Result<Watcher?, any Error> in
          if Task.isCancelled { return .failure(CancellationError()) }
          let watcher = state.watchers.min { $0.key < $1.key }
          if let watcher { state.watchers[watcher.key] = nil }
          state.sleepers[sleeper] = Sleeper(
            duration: duration, deadline: state.uptime + duration, isReported: watcher != nil,
            continuation: continuation)
          return .success(watcher?.value)
        }
        switch outcome {
        case .success(let watcher): watcher?.resume(returning: duration)
        case .failure(let error): continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: sleeper) }?
        .continuation.resume(throwing: CancellationError())
    }
  }
}
