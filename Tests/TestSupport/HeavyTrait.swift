internal import Dispatch
internal import FieldCore
internal import Foundation
public import Testing

/// Lets tests with much work run on all processors but one, on threads of their own.
///
/// Tests run side by side on as many threads as there are processors. A test that computes for seconds
/// without waiting keeps one of them, and enough such tests keep all the others, those that talk to a
/// server in real time among them, waiting for a minute.
///
/// With `FIELDKIT_TIMES` in the environment, each of them prints how long it ran without waiting.
public struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let slots = Slots(
    max(1, ProcessInfo.processInfo.activeProcessorCount - 1))
  private static let executor = QueueExecutor()
  private static let printsTimes = ProcessInfo.processInfo.environment["FIELDKIT_TIMES"] != nil
  /// Whether the running test has a slot, since a suite and its tests may both be called heavy.
  @TaskLocal private static var isRunning = false

  /// Every test of a suite waits by itself.
  public var isRecursive: Bool { true }

  /// Runs the test when a slot is free. A time limit counts the wait as well.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !Self.isRunning else { return try await function() }
    await Self.slots.take()
    defer { Self.slots.give() }
    let start = ContinuousClock.now
    try await Self.$isRunning.withValue(true) {
      try await withTaskExecutorPreference(Self.executor) { try await function() }
    }
    if Self.printsTimes { print("heavy: \(ContinuousClock.now - start) \(test.name)") }
  }
}

/// A number of slots; who finds none free waits for its turn.
private final class Slots: Sendable {
  private struct State: Sendable {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// Threads beside those that all other tasks share.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "heavy tests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = unsafe asUnownedTaskExecutor()
    queue.async { unsafe job.runSynchronously(on: executor) }
  }
}

extension Trait where Self == HeavyTrait {
  /// Tests with much work run on all processors but one.
  public static var heavy: Self { Self() }
}
