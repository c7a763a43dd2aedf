/// A lock that tasks hold across suspensions, in the order in which they requested it.
///
/// An ordinary lock can't be held across an `await`, and an actor is reentrant at each one. Commits
/// need a lock without either restriction.
package final class AsyncLock: Sendable {
  private struct Waiter: Sendable {
    var number: UInt64
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State: Sendable {
    var isTaken = false
    var lastNumber: UInt64 = 0
    var waiters: [Waiter] = []
    var cancelled: Set<UInt64> = []
  }

  private let state = Lock(State())

  package init() {}

  /// The number of waiting tasks.
  package var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Runs `body` while holding the lock.
  ///
  /// - Throws: `CancellationError` if the task is canceled before it holds the lock; an error
  ///   from `body`.
  package func withLock<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    guard await enter(isCancellable: true) else { throw CancellationError() }
    defer { leave() }
    return try await body()
  }

  /// Runs `body` while holding the lock, even if the task is canceled, for cleanup.
  package func withLockUncancellably<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    _ = await enter(isCancellable: false)
    defer { leave() }
    return try await body()
  }

  /// Waits for the lock; returns `false` if the task was canceled before.
  private func enter(isCancellable: Bool) async -> Bool {
    let number: UInt64? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.lastNumber += 1
      return state.lastNumber
    }
    guard let number else { return true }
    let isMyTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          guard state.isTaken else {
            state.isTaken = true
            return true
          }
          state.waiters.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      if isCancellable { cancel(number) }
    }
    forget(number)
    return isMyTurn
  }

  private func cancel(_ number: UInt64) {
    let waiter: Waiter? = state.withLock { state in
      guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.waiters.remove(at: place)
    }
    waiter?.continuation.resume(returning: false)
  }

  /// Removes the mark of a cancellation that came too late to matter.
  private func forget(_ number: UInt64) {
    state.withLock { state in _ = state.cancelled.remove(number) }
  }

  private func leave() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}
