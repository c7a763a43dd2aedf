import FieldCore
import Foundation
import TestSupport

/// Runs tasks on one thread and in virtual time, in an order that a seed determines.
///
/// All tasks that a body starts run here, including unstructured and detached ones: the jobs that this
/// thread would give to the global executor wait here, and one of them, drawn at random, runs at a time until
/// it suspends. When none is ready, the time advances to the end of the next sleep. Actors aren't supported;
/// FieldKit has none.
final class SeededScheduler: TaskExecutor {
  /// What ends a run early.
  enum Failure: Error {
    /// Nothing is ready, nothing sleeps, and the body hasn't returned.
    case stuck
    /// The body hasn't returned after so many jobs.
    case unbounded(Int)
  }

  private struct Sleeper {
    var deadline: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var chance: SeededGenerator
    var ready: [UnownedJob] = []
    var sleepers: [Int: Sleeper] = [:]
    var lastSleeper = 0
    var time = Duration.zero
    var jobCount = 0
  }

  private let state: Lock<State>

  init(seed: UInt64) { state = Lock(State(chance: SeededGenerator(seed: seed))) }

  /// The virtual time since the beginning.
  var time: Duration { state.withLock(\.time) }

  /// How many jobs have run.
  var jobCount: Int { state.withLock(\.jobCount) }

  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

  fileprivate func add(_ job: UnownedJob) { state.withLock { $0.ready.append(job) } }

  /// Runs a body with all tasks that it starts, and returns its result.
  func run<Result: Sendable>(
    limit: Int = 3_000_000, _ body: @escaping @Sendable () async -> Result
  ) throws -> Result {
    try GlobalJobs.taken(by: self) {
      let result = Lock<Result?>(nil)
      Task {
        let value = await body()
        result.withLock { $0 = value }
      }
      while true {
        if let value = result.withLock({ $0 }) {
          // Tasks that nobody waits for, such as those that write after a while.
          while runOne() || wake(throwing: CancellationError()) {}
          return value
        }
        guard runOne() || wake() else { throw Failure.stuck }
        guard jobCount < limit else { throw Failure.unbounded(limit) }
      }
    }
  }

  private func runOne() -> Bool {
    let job: UnownedJob? = state.withLock { state in
      guard !state.ready.isEmpty else { return nil }
      state.jobCount += 1
      return state.ready.remove(at: .random(in: state.ready.indices, using: &state.chance))
    }
    guard let job else { return false }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }

  /// Advances the time to the end of the next sleep, or ends that sleep with an error.
  private func wake(throwing error: (any Error)? = nil) -> Bool {
    let sleeper: Sleeper? = state.withLock { state in
      let next = state.sleepers.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      guard let next else { return nil }
      state.sleepers[next.key] = nil
      if error == nil { state.time = max(state.time, next.value.deadline) }
      return next.value
    }
    guard let sleeper else { return false }
    if let error {
      sleeper.continuation.resume(throwing: error)
    } else {
      sleeper.continuation.resume()
    }
    return true
  }

  /// Waits until the virtual time has advanced by a duration.
  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return await Task.yield() }
    let number = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleepers[number] = Sleeper(
            deadline: state.time + duration, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// The hook of the runtime through which every job for the global executor goes.
  fileprivate enum GlobalJobs {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      unsafe pthread_key_create(&key, nil)
      return key
    }()

    private static let isHooked: Bool = {
      _ = key
      guard let place = unsafe dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
        return false
      }
      unsafe place.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
        if let scheduler = unsafe pthread_getspecific(GlobalJobs.key) {
          unsafe Unmanaged<SeededScheduler>.fromOpaque(scheduler).takeUnretainedValue().add(job)
        } else {
          original(job)
        }
      }
      return true
    }()

    static func taken<Result>(
      by scheduler: SeededScheduler, _ body: () throws -> Result
    ) throws -> Result {
      guard isHooked else { throw Failure.stuck }
      unsafe pthread_setspecific(key, Unmanaged.passUnretained(scheduler).toOpaque())
      defer { pthread_setspecific(key, nil) }
      return try withExtendedLifetime(scheduler) { try body() }
    }
  }
}

/// The clock of a process: the time of the world, and a date that can be set.
final class SimulatedClock: FieldClock {
  /// 2026-01-01 12:00 in Seoul.
  static let noon = Date(timeIntervalSince1970: 1_767_236_400)

  private let scheduler: SeededScheduler
  private let start: Duration
  private let shift: Lock<Double>
  private let isAlive: @Sendable () -> Bool

  /// Creates a clock whose date differs by some seconds from the one of the world.
  init(
    _ scheduler: SeededScheduler, shift: Lock<Double> = Lock(0),
    isAlive: @escaping @Sendable () -> Bool = { true }
  ) {
    self.scheduler = scheduler
    self.shift = shift
    self.isAlive = isAlive
    start = scheduler.time
  }

  var now: Date { Self.noon + scheduler.time / .seconds(1) + shift.withLock(\.self) }

  var uptime: Duration { scheduler.time - start }

  func sleep(for duration: Duration) async throws {
    guard isAlive() else { throw CancellationError() }
    try await scheduler.sleep(for: duration)
    guard isAlive() else { throw CancellationError() }
  }
}
