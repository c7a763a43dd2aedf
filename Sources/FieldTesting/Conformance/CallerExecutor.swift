internal import Dispatch
internal import FieldCore

/// An executor that knows when all of its tasks are waiting or have ended.
///
/// A case starts its callers on it and suspends in ``idle()`` until each has run as far as it can:
/// a caller that joins a run has joined it. Yielding instead would depend on the load of the
/// machine.
package final class CallerExecutor: TaskExecutor {
  private struct State {
    var jobs = 0
    var enqueued = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  // Each serial queue has its own thread, even if all processors are busy.
  private let queues: [DispatchQueue]
  private let state = Lock(State())

  /// Creates an executor without tasks.
  ///
  /// - Parameter threads: The number of threads that run tasks. Defaults to 1.
  package init(threads: Int = 1) {
    queues = (0..<threads).map { DispatchQueue(label: "FieldTesting.callers.\($0)") }
  }

  /// Runs a step of a task after earlier ones.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    let queue = state.withLock { state in
      state.jobs += 1
      state.enqueued += 1
      return queues[state.enqueued % queues.count]
    }
    queue.async { [self] in
      unsafe job.runSynchronously(on: executor)
      let waiters = state.withLock { state in
        state.jobs -= 1
        guard state.jobs == 0 else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Starts a caller.
  package func start<Output: Sendable>(
    _ body: @escaping @Sendable () async throws -> Output
  ) -> Task<Output, any Error> { Task(executorPreference: self) { try await body() } }

  /// Suspends until no task has a step to run.
  package func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.jobs > 0 { state.waiters.append(continuation) }
        return state.jobs == 0
      }
      if isIdle { continuation.resume() }
    }
  }
}
