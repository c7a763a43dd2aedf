/// A coordinator that runs an operation once for all concurrent callers.
///
/// Canceling one caller doesn't affect the others; if the last one is canceled, so is the run. A
/// caller doesn't share a run of a lower level than its own: it waits for that run to end and starts
/// another.
package final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct Flight: Sendable {
    let number: Int
    let level: Int
    let task: Task<Void, Never>
    var waiters: [Int: Waiter]
    /// The error for the waiters if the run was canceled, because nobody canceled them.
    var interruption: (any Error)?
  }

  private struct State: Sendable {
    var flight: Flight?
    var lastNumber = 0

    mutating func number() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private enum Joining {
    case started, shared, lower, cancelled
  }

  private let state = Lock(State())

  package init() {}

  /// The number of callers that wait for a run, for tests.
  var waiterCount: Int { state.withLock { $0.flight?.waiters.count ?? 0 } }

  /// Returns the result of the run in flight, or of a new one if there is none to share.
  ///
  /// - Parameters:
  ///   - level: The lowest level of a run in flight that the caller can share.
  ///   - isAlone: Pass `true` to wait for the end of any run in flight, and start another.
  ///   - joined: A closure that is called before waiting for a run in flight.
  package func run(
    level: Int = 0, isAlone: Bool = false, joined: () -> Void = {},
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    while true {
      let waiter = state.withLock { $0.number() }
      var isLower = false
      do {
        let value = try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            switch join(waiter, continuation, level: level, isAlone: isAlone, body) {
            case .started: break
            case .shared: joined()
            case .lower: isLower = true
            case .cancelled: continuation.resume(throwing: CancellationError())
            }
          }
        } onCancel: {
          leave(waiter)
        }
        if !isLower { return value }
      } catch {
        // Only the end of a lower run matters here; its error belongs to its own callers.
        guard isLower else { throw error }
        try Task.checkCancellation()
      }
    }
  }

  /// Cancels the run in flight; its waiters get its result, or an error in place of its
  /// cancellation.
  package func cancel(throwing error: any Error) {
    let task = state.withLock { state in
      state.flight?.interruption = error
      return state.flight?.task
    }
    task?.cancel()
  }

  /// Adds a waiter to the run in flight, starting one if necessary, unless its task is canceled.
  ///
  /// The task is checked under the lock: cancellation first sets its flag and then calls `leave`,
  /// which waits for the lock, so either this method sees the flag or `leave` sees the waiter.
  private func join(
    _ waiter: Int, _ continuation: Waiter, level: Int, isAlone: Bool,
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Joining {
    state.withLock { state in
      if Task.isCancelled { return .cancelled }
      if let flight = state.flight {
        state.flight?.waiters[waiter] = continuation
        return !isAlone && flight.level >= level ? .shared : .lower
      }
      let number = state.number()
      let task = Task { complete(number, await Result(catching: body)) }
      state.flight = Flight(
        number: number, level: level, task: task, waiters: [waiter: continuation])
      return .started
    }
  }

  private func complete(_ number: Int, _ outcome: Result<Value, any Error>) {
    // A run without waiters is no longer in flight; another may be in its place.
    let ended = state.withLock { state in
      state.flight?.number == number ? state.flight.take() : nil
    }
    guard let ended else { return }
    var outcome = outcome
    if let error = ended.interruption, case .failure(is CancellationError) = outcome {
      outcome = .failure(error)
    }
    for waiter in ended.waiters.values { waiter.resume(with: outcome) }
  }

  private func leave(_ waiter: Int) {
    let (continuation, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let continuation = state.flight?.waiters.removeValue(forKey: waiter) else {
        return (nil, nil)
      }
      guard state.flight?.waiters.isEmpty == true else { return (continuation, nil) }
      return (continuation, state.flight.take()?.task)
    }
    abandoned?.cancel()
    continuation?.resume(throwing: CancellationError())
  }
}
