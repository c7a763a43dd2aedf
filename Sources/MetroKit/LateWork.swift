internal import FieldCore

/// The work of a part beside the arrivals, which belongs to its owner and not to a run of the engine: a run that has waited long
/// enough ends without it, and the next run waits for the same work.
///
/// There is at most one at a time. It is canceled with the last run that waits for it, when it is abandoned, and with the owner.
final class LateWork: Sendable {
  typealias Work = @Sendable () async throws -> RefreshReport
  private typealias Outcome = Result<RefreshReport, any Error>

  /// Work in flight.
  private struct Flight: Sendable {
    let number: Int
    let task: Task<Void, Never>
    /// Sends the outcome once, to all runs that wait for it.
    let outcome = Broadcast<Outcome>()
    var waiterCount = 0
  }

  private struct State: Sendable {
    var flight: Flight?
    var lastNumber = 0
    /// The reason why the last work failed; `nil` if it didn't.
    var lastFailure: FieldError?
  }

  /// How long a run waits, so that neither it nor the next poll is late. It is shorter than
  /// ``PollingPolicy/shortestInterval``.
  static let patience = Duration.milliseconds(3_900)
  /// A Boolean value that indicates whether the run belongs to a poll.
  @TaskLocal static var isPolling = false

  private let operation: String
  private let failureMessage: String
  private let lateMessage: String
  private let clock: any FieldClock
  private let state = Lock(State())

  /// Creates the work of a part.
  ///
  /// - Parameters:
  ///   - operation: The operation in errors.
  ///   - failureMessage: The message of an error that has none.
  ///   - lateMessage: The message of the error for runs that end without the work.
  init(
    _ operation: String, failing failureMessage: String, late lateMessage: String,
    clock: any FieldClock
  ) {
    self.operation = operation
    self.failureMessage = failureMessage
    self.lateMessage = lateMessage
    self.clock = clock
  }

  deinit { abandon() }

  /// The reason why the last work failed or is late; `nil` if it didn't.
  var lastFailure: FieldError? { state.withLock(\.lastFailure) }

  /// Deletes what the work stores, and forgets the last failure.
  func eraseAll(in store: any RecordStore) async throws {
    abandon(throwing: .erasedInRun)
    try await store.eraseAll()
    // Another run may have begun before the store was empty.
    abandon(throwing: .erasedInRun)
    state.withLock { $0.lastFailure = nil }
  }

  /// Returns the report of the work in flight, which begins if there is none.
  ///
  /// - Parameters:
  ///   - patience: How long to wait; `nil` to wait until the end.
  ///   - changed: A closure to call after each attempt, so that listeners see its result.
  ///   - work: The work. It mustn't refer to the owner.
  func report(
    within patience: Duration?, changed: @escaping @Sendable () async -> Void,
    of work: @escaping Work
  ) async throws -> RefreshReport {
    let flight = join(changed, work)
    defer { leave(flight) }
    guard let patience else { return try await outcome(of: flight) }
    if let report = try await outcome(of: flight, within: patience) { return report }
    let late = FieldError(.timeout, lateMessage, operation: operation)
    let isLate = state.withLock { state in
      guard state.flight?.number == flight.number else { return false }
      state.lastFailure = late
      return true
    }
    // It may have ended just now.
    guard isLate else { return try await outcome(of: flight) }
    await changed()
    throw late
  }

  /// Cancels the work in flight, whose result is neither stored nor reported.
  ///
  /// - Parameter error: The error for the runs that wait for it. Defaults to a cancellation.
  func abandon(throwing error: FieldError? = nil) {
    guard let flight = state.withLock({ $0.flight.take() }) else { return }
    flight.task.cancel()
    flight.outcome.send(.failure(error ?? CancellationError()))
  }

  // MARK: The runs that wait

  /// Returns the work in flight, which begins if there is none.
  private func join(_ changed: @escaping @Sendable () async -> Void, _ work: @escaping Work)
    -> Flight
  {
    state.withLock { state in
      var flight = state.flight ?? begin(state.lastNumber + 1, changed, work)
      flight.waiterCount += 1
      state.lastNumber = flight.number
      state.flight = flight
      return flight
    }
  }

  /// Ends a run's wait, and cancels the work if the run was canceled and no other waits.
  private func leave(_ flight: Flight) {
    let isCancelled = Task.isCancelled
    let abandoned = state.withLock { state -> Task<Void, Never>? in
      guard state.flight?.number == flight.number else { return nil }
      state.flight?.waiterCount -= 1
      guard isCancelled, state.flight?.waiterCount == 0 else { return nil }
      return state.flight.take()?.task
    }
    abandoned?.cancel()
  }

  /// Returns the outcome of the work, or `nil` if it takes longer than a run waits.
  private func outcome(
    of flight: Flight, within patience: Duration
  ) async throws -> RefreshReport? {
    try await withThrowingTaskGroup(of: RefreshReport?.self) { [clock] group in
      group.addTask { [self] in try await outcome(of: flight) }
      group.addTask {
        try await clock.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func outcome(of flight: Flight) async throws -> RefreshReport {
    if let (_, stream) = flight.outcome.listen() {
      for await outcome in stream { return try outcome.get() }
    }
    throw CancellationError()
  }

  // MARK: The work

  private func begin(
    _ number: Int, _ changed: @escaping @Sendable () async -> Void, _ work: @escaping Work
  ) -> Flight {
    let task = Task { [weak self, operation, failureMessage] in
      let outcome = await Outcome {
        do {
          return try await work()
        } catch {
          throw FieldError.wrapping(
            error, as: .transport, failureMessage, operation: operation)
        }
      }
      await self?.finish(number, outcome, changed)
    }
    return Flight(number: number, task: task)
  }

  /// Shows the outcome to listeners before the runs that wait for it end.
  private func finish(_ number: Int, _ outcome: Outcome, _ changed: () async -> Void) async {
    let flight = state.withLock { state -> Flight? in
      guard state.flight?.number == number else { return nil }
      switch outcome {
      case .success: state.lastFailure = nil
      case .failure(let failure as FieldError): state.lastFailure = failure
      case .failure: break
      }
      return state.flight.take()
    }
    guard let flight else { return }
    await changed()
    flight.outcome.send(outcome)
  }
}
