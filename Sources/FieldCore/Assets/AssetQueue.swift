/// Limits the number of concurrent requests: urgent ones run first, each kind in order of arrival.
final class AssetQueue: Sendable {
  private struct Waiter: Sendable {
    var number: Int
    var key: AssetFlightKey
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State: Sendable {
    var running = 0
    var lastNumber = 0
    var urgent: [Waiter] = []
    var later: [Waiter] = []
  }

  let width: Int
  private let state = Lock(State())

  init(width: Int) { self.width = max(width, 1) }

  /// The number of waiting requests, for tests.
  var waitingCount: Int { state.withLock { $0.urgent.count + $0.later.count } }

  /// The number of waiting urgent requests, for tests.
  var urgentCount: Int { state.withLock { $0.urgent.count } }

  /// Runs `body` when a request may run.
  ///
  /// The queue calls `isUrgent` while its lock is held, so that a concurrent ``promote(_:)`` either
  /// comes before and is seen, or comes after and finds the waiter.
  func pass<Result: Sendable>(
    _ key: AssetFlightKey, isUrgent: @Sendable () -> Bool,
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await enter(key, isUrgent)
    defer { leave() }
    return try await body()
  }

  /// Makes the waiting request of a key urgent.
  func promote(_ key: AssetFlightKey) {
    state.withLock { state in
      guard let place = state.later.firstIndex(where: { $0.key == key }) else { return }
      state.urgent.append(state.later.remove(at: place))
    }
  }

  private func enter(_ key: AssetFlightKey, _ isUrgent: @Sendable () -> Bool) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Cancellation sets the task's flag and then calls `cancel`, which waits for the lock, so
        // one of the two sees the other.
        let answer = state.withLock { state -> Swift.Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.running < width {
            state.running += 1
            return .success(())
          }
          let waiter = Waiter(number: number, key: key, continuation: continuation)
          if isUrgent() { state.urgent.append(waiter) } else { state.later.append(waiter) }
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    let waiter = state.withLock { state -> Waiter? in
      if let place = state.urgent.firstIndex(where: { $0.number == number }) {
        return state.urgent.remove(at: place)
      }
      return state.later.firstIndex { $0.number == number }.map { state.later.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }

  private func leave() {
    let next = state.withLock { state -> Waiter? in
      if !state.urgent.isEmpty { return state.urgent.removeFirst() }
      if !state.later.isEmpty { return state.later.removeFirst() }
      state.running -= 1
      return nil
    }
    next?.continuation.resume()
  }
}
