/// A lock that tasks hold across suspensions, in the order in which they requested it.
///
/// An ordinary lock can't be held across an `await`, and an actor is reentrant at each one. Commits
/// need a lock without either restriction.
package final class AsyncLock: Sendable {
  private struct Waiter: Sendable {
    var number: UInt64
    /// `nil` until the task suspends.
    var continuation: CheckedContinuation<Bool, Never>?
  }

  private struct State: Sendable {
    var isTaken = false
    var lastNumber: UInt64 = 0
    var waiters: [Waiter] = []
    /// The answers for tasks that hadn't suspended yet, by their numbers.
    var answers: [UInt64: Bool] = [:]

    /// Removes a waiter, and returns its continuation, or keeps the answer until it suspends.
    mutating func take(_ place: Int, answer: Bool) -> CheckedContinuation<Bool, Never>? {
      let waiter = waiters.remove(at: place)
      if waiter.continuation == nil { answers[waiter.number] = answer }
      return waiter.continuation
    }

    /// The tasks that suspend next are the last ones.
    func place(of number: UInt64) -> Int? { waiters.lastIndex { $0.number == number } }
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
  package func withLockUncancellably<Result: Sendable, Failure>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    _ = await enter(isCancellable: false)
    defer { leave() }
    return try await body()
  }

  /// Waits for the lock; returns `false` if the task was canceled before.
  ///
  /// The place in the queue is taken first, because a task may be overtaken before it suspends.
  private func enter(isCancellable: Bool) async -> Bool {
    let isFree = state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
    return isFree ? true : await wait(isCancellable: isCancellable)
  }

  // Not inlined, because a function needs the types of all its variables, and the first use of a continuation's type
  // takes long in a new process.
  @inline(never)
  private func wait(isCancellable: Bool) async -> Bool {
    let number: UInt64? = state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      state.lastNumber += 1
      state.waiters.append(Waiter(number: state.lastNumber))
      return state.lastNumber
    }
    guard let number else { return true }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          guard let place = state.place(of: number) else {
            return state.answers.removeValue(forKey: number) ?? false
          }
          state.waiters[place].continuation = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      if isCancellable { cancel(number) }
    }
  }

  private func cancel(_ number: UInt64) {
    let waiter = state.withLock { state in
      state.place(of: number).flatMap { state.take($0, answer: false) }
    }
    waiter?.resume(returning: false)
  }

  private func leave() {
    // If nobody waits, the type of the continuations isn't used here, either.
    let isFree = state.withLock { state in
      state.isTaken = !state.waiters.isEmpty
      return !state.isTaken
    }
    if !isFree { passOn() }
  }

  /// Passes the lock to the first waiter, unless all of them have been canceled.
  private func passOn() {
    let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.take(0, answer: true)
    }
    next?.resume(returning: true)
  }
}
