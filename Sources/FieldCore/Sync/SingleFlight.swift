/// A coordinator that runs an operation once for all concurrent callers.
///
/// Canceling one caller doesn't affect the others; if the last one is canceled, so is the run. A
/// caller that forces a run doesn't share one that wasn't forced: it waits for that run to end and
/// starts another.
package final class SingleFlight<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private enum Waiter: Sendable {
    case joining
    case waiting(CheckedContinuation<Value, any Error>)
    case completed(Outcome)
  }

  private struct Flight: Sendable {
    let number: Int
    let isForced: Bool
    var task: Task<Void, Never>?
    var waiters: Set<Int> = []
  }

  private struct State: Sendable {
    var flight: Flight?
    var waiters: [Int: Waiter] = [:]
    var lastNumber = 0
    var lastWaiter = 0
  }

  private enum Joining {
    case joined(waiter: Int)
    case joinedUnforced(waiter: Int)
    case mustStart(number: Int, waiter: Int)
  }

  private let state = Lock(State())

  package init() {}

  /// Returns the result of the run in flight, or of a new one if there is none to share.
  ///
  /// - Parameter joined: A closure that is called before waiting for a run in flight.
  package func run(
    isForced: Bool = false, joined: () -> Void = {},
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    while true {
      try Task.checkCancellation()
      switch join(isForced: isForced) {
      case .joined(let waiter):
        joined()
        return try await completion(of: waiter)
      case .joinedUnforced(let waiter):
        // Only its end matters here; its error belongs to its own callers.
        do {
          _ = try await completion(of: waiter)
        } catch {
          try Task.checkCancellation()
        }
      case .mustStart(let number, let waiter):
        start(number, body)
        return try await completion(of: waiter)
      }
    }
  }

  /// Cancels the run in flight; its waiters get its result.
  package func cancel() {
    state.withLock { $0.flight?.task }?.cancel()
  }

  private func join(isForced: Bool) -> Joining {
    state.withLock { state in
      state.lastWaiter += 1
      let waiter = state.lastWaiter
      state.waiters[waiter] = .joining
      if let flight = state.flight {
        state.flight?.waiters.insert(waiter)
        return flight.isForced || !isForced
          ? .joined(waiter: waiter) : .joinedUnforced(waiter: waiter)
      }
      state.lastNumber += 1
      state.flight = Flight(number: state.lastNumber, isForced: isForced, waiters: [waiter])
      return .mustStart(number: state.lastNumber, waiter: waiter)
    }
  }

  private func start(_ number: Int, _ body: @escaping @Sendable () async throws -> Value) {
    let task = Task {
      let outcome: Outcome
      do {
        outcome = .success(try await body())
      } catch {
        outcome = .failure(error)
      }
      complete(number, outcome)
    }
    let isAbandoned = state.withLock { state in
      guard state.flight?.number == number else { return true }
      state.flight?.task = task
      return false
    }
    // The flight may have completed, or lost its only waiter, before its task was stored.
    if isAbandoned { task.cancel() }
  }

  private func complete(_ number: Int, _ outcome: Outcome) {
    let continuations = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard let flight = state.flight, flight.number == number else { return [] }
      state.flight = nil
      return flight.waiters.compactMap { waiter in
        guard case .waiting(let continuation) = state.waiters[waiter] else {
          state.waiters[waiter] = .completed(outcome)
          return nil
        }
        state.waiters[waiter] = nil
        return continuation
      }
    }
    for continuation in continuations { continuation.resume(with: outcome) }
  }

  private func completion(of waiter: Int) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          switch state.waiters[waiter] {
          case .completed(let outcome):
            state.waiters[waiter] = nil
            return outcome
          case .joining, .waiting:
            state.waiters[waiter] = .waiting(continuation)
            return nil
          case nil:
            return .failure(CancellationError())
          }
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      leave(waiter)
    }
  }

  private func leave(_ number: Int) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      let waiter = state.waiters.removeValue(forKey: number)
      guard state.flight?.waiters.remove(number) != nil, state.flight?.waiters.isEmpty == true
      else {
        return (waiter, nil)
      }
      defer { state.flight = nil }
      return (waiter, state.flight?.task)
    }
    abandoned?.cancel()
    if case .waiting(let continuation) = waiter {
      continuation.resume(throwing: CancellationError())
    }
  }
}
