internal import FieldCore

/// Polls for boards while there are listeners, in one loop for all of them.
///
/// The loop and its pauses belong to the poller, which cancels them when the last listener has
/// left.
final class MetroPoller: Sendable {
  /// The wait for the next poll, which ends early when the interval changes.
  private struct Pause: Sendable {
    let interval: Duration
    let task: Task<Void, any Error>
  }

  private struct State: Sendable {
    /// The interval that each listener requested.
    var intervals: [Int: Duration] = [:]
    var loop: (number: Int, task: Task<Void, Never>)?
    var lastLoop = 0
    var pause: Pause?
    /// The uptime at which the last poll began.
    var lastPoll: Duration?
    var isClosed = false

    /// The pause, if it is too long or too short for the current listeners.
    var outdatedPause: Task<Void, any Error>? {
      guard let shortest = intervals.values.min(), pause?.interval != shortest else { return nil }
      return pause?.task
    }
  }

  private let refresher: MetroRefresher
  private let engine: KitEngine
  let clock: any FieldClock
  private let policy: PollingPolicy
  private let random: @Sendable () -> Double
  private let state = Lock(State())

  init(
    refresher: MetroRefresher, engine: KitEngine, clock: any FieldClock, policy: PollingPolicy,
    random: @escaping @Sendable () -> Double
  ) {
    self.refresher = refresher
    self.engine = engine
    self.clock = clock
    self.policy = policy
    self.random = random
  }

  // MARK: Listeners

  /// Returns the last board, if there is one, and then each new one. Returns `nil` if the metro has
  /// been closed or the task is canceled.
  ///
  /// - Parameter interval: The time between polls; `nil` to listen without polling.
  func listen(
    every interval: Duration?
  ) async -> (first: ArrivalBoard?, next: AsyncStream<ArrivalBoard>)? {
    do {
      try await engine.openIfNeeded()
    } catch {
      // The board contains the error.
    }
    let count = refresher.boards.count
    let board = await refresher.boardOrFailure()
    guard !Task.isCancelled else { return nil }
    let listener = refresher.boards.listen(after: count) { [weak self] in self?.leave($0) }
    guard let (number, stream) = listener else { return nil }
    if let interval, !join(number, every: interval) { return nil }
    return (board.fetchedAt == nil ? nil : board, stream)
  }

  /// Returns the board as it looks now, when it is passed on, with the damage that hasn't been
  /// reported.
  func current(_ board: ArrivalBoard) -> ArrivalBoard {
    var board = board.evaluatingFreshness(at: clock.now)
    board.damage = engine.unreportedCuts
    return board
  }

  /// Ends polling for good.
  func close() {
    let loop = state.withLock { state in
      defer { state.loop = nil }
      state.isClosed = true
      state.intervals = [:]
      return state.loop?.task
    }
    loop?.cancel()
  }

  private func join(_ number: Int, every interval: Duration) -> Bool {
    let (isOpen, outdated) = state.withLock { state -> (Bool, Task<Void, any Error>?) in
      guard !state.isClosed else { return (false, nil) }
      state.intervals[number] = interval
      if state.loop == nil {
        state.lastLoop += 1
        let number = state.lastLoop
        state.loop = (number, Task { await poll(loop: number) })
      }
      return (true, state.outdatedPause)
    }
    outdated?.cancel()
    return isOpen
  }

  private func leave(_ number: Int) {
    let (ended, outdated) = state.withLock {
      state -> (Task<Void, Never>?, Task<Void, any Error>?) in
      state.intervals[number] = nil
      guard state.intervals.isEmpty else { return (nil, state.outdatedPause) }
      defer { state.loop = nil }
      return (state.loop?.task, nil)
    }
    ended?.cancel()
    outdated?.cancel()
  }

  // MARK: The loop

  private func poll(loop number: Int) async {
    // The first poll of a loop doesn't wait for an interval.
    var isOpening = true
    while !Task.isCancelled {
      guard let isDue = await pause(loop: number, isOpening: isOpening) else { return }
      guard isDue else { continue }  // the interval has changed
      isOpening = false
      guard begin(loop: number) else { return }
      do {
        // Arrivals and alerts are always due, and the timetable once a day.
        _ = try await LateWork.$isPolling.withValue(true) {
          try await engine.refresh(.ifDue, reportsDamage: false)
        }
      } catch {
        // The board reports a failure. A run that others canceled is repeated after the next
        // interval.
      }
    }
  }

  /// Waits for the next poll. Returns `false` if the interval has changed meanwhile, or `nil` if
  /// the loop has ended.
  private func pause(loop number: Int, isOpening: Bool) async -> Bool? {
    let failures = engine.failures(of: MetroRefresher.partName)
    let random = random()
    let uptime = clock.uptime
    let pause: Pause?? = state.withLock { state -> Pause?? in
      guard state.loop?.number == number, let shortest = state.intervals.values.min() else {
        return nil
      }
      let whole =
        isOpening
        ? policy.shortestInterval
        : policy.wait(every: shortest, failures: failures, random: random)
      let wait = state.lastPoll.map { $0 + whole - uptime } ?? .zero
      state.pause =
        wait > .zero
        ? Pause(interval: shortest, task: Task { [clock] in try await clock.sleep(for: wait) })
        : nil
      return .some(state.pause)
    }
    guard let pause else { return nil }
    guard let pause else { return true }
    let result = await withTaskCancellationHandler {
      await pause.task.result
    } onCancel: {
      pause.task.cancel()
    }
    if Task.isCancelled { return nil }
    if case .success = result { return true }
    return false
  }

  /// Records that a poll begins. Returns `false` if the loop has ended.
  private func begin(loop number: Int) -> Bool {
    let uptime = clock.uptime
    return state.withLock { state in
      guard state.loop?.number == number else { return false }
      state.pause = nil
      state.lastPoll = uptime
      return true
    }
  }
}
