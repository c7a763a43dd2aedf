/// One run of an operation at a time, shared by all who ask for it meanwhile.
///
/// Each waiter can be cancelled by itself; when the last one has gone, the run is cancelled. A caller
/// who asks for more than the run in flight promises (a greater `strength`) waits for its end and
/// then starts a run of its own.
package final class SharedFlight<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private enum Waiter: Sendable {
    case boarding
    case waiting(CheckedContinuation<Value, any Error>)
    case landed(Outcome)
  }

  private struct Flight: Sendable {
    let number: Int
    let strength: Int
    var task: Task<Void, Never>?
    var tickets: Set<Int> = []
  }

  private struct State: Sendable {
    var flight: Flight?
    var waiters: [Int: Waiter] = [:]
    var lastNumber = 0
    var lastTicket = 0
  }

  private enum Boarding {
    case joined(ticket: Int)
    case joinedWeaker(ticket: Int)
    case mustStart(number: Int, ticket: Int)
  }

  private let state = Lock(State())

  package init() {}

  /// The result of the run in flight, or of a new one when there is none that is strong enough.
  package func run(
    strength: Int = 0, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    while true {
      try Task.checkCancellation()
      switch board(strength: strength) {
      case .joined(let ticket):
        return try await landing(of: ticket)
      case .joinedWeaker(let ticket):
        // Only its end matters here; its error belongs to those who asked for it.
        do {
          _ = try await landing(of: ticket)
        } catch {
          try Task.checkCancellation()
        }
      case .mustStart(let number, let ticket):
        start(number, body)
        return try await landing(of: ticket)
      }
    }
  }

  /// Cancels the run in flight; its waiters get what the run makes of that.
  package func cancel() {
    state.withLock { $0.flight?.task }?.cancel()
  }

  private func board(strength: Int) -> Boarding {
    state.withLock { state in
      state.lastTicket += 1
      let ticket = state.lastTicket
      state.waiters[ticket] = .boarding
      if let flight = state.flight {
        state.flight?.tickets.insert(ticket)
        return flight.strength >= strength
          ? .joined(ticket: ticket) : .joinedWeaker(ticket: ticket)
      }
      state.lastNumber += 1
      state.flight = Flight(number: state.lastNumber, strength: strength, tickets: [ticket])
      return .mustStart(number: state.lastNumber, ticket: ticket)
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
      land(number, outcome)
    }
    let isAbandoned = state.withLock { state in
      guard state.flight?.number == number else { return true }
      state.flight?.task = task
      return false
    }
    // The flight may have landed, or lost its only waiter, before its task could be noted.
    if isAbandoned { task.cancel() }
  }

  private func land(_ number: Int, _ outcome: Outcome) {
    let continuations = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard let flight = state.flight, flight.number == number else { return [] }
      state.flight = nil
      return flight.tickets.compactMap { ticket in
        guard case .waiting(let continuation) = state.waiters[ticket] else {
          state.waiters[ticket] = .landed(outcome)
          return nil
        }
        state.waiters[ticket] = nil
        return continuation
      }
    }
    for continuation in continuations { continuation.resume(with: outcome) }
  }

  private func landing(of ticket: Int) async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          switch state.waiters[ticket] {
          case .landed(let outcome):
            state.waiters[ticket] = nil
            return outcome
          case .boarding, .waiting:
            state.waiters[ticket] = .waiting(continuation)
            return nil
          case nil:
            return .failure(CancellationError())
          }
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func leave(_ ticket: Int) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      let waiter = state.waiters.removeValue(forKey: ticket)
      guard state.flight?.tickets.remove(ticket) != nil, state.flight?.tickets.isEmpty == true
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
