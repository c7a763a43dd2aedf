internal import Dispatch
internal import FieldCore
public import Testing

/// Lets one test with much work run at a time, on threads of its own.
///
/// Tests run side by side on as many threads as there are processors. A test that computes for seconds
/// without waiting keeps one of them, and enough such tests keep all the others, those that talk to a
/// server in real time among them, waiting for a minute.
public struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let asyncLock = AsyncLock()
  private static let executor = QueueExecutor()
  /// Whether the running test is the one, since a suite and its tests may both be called heavy.
  @TaskLocal private static var isRunning = false

  /// Every test of a suite waits by itself.
  public var isRecursive: Bool { true }

  /// Runs the test when no other heavy one is running. A time limit counts the wait as well.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !Self.isRunning else { return try await function() }
    try await Self.asyncLock.withLock {
      try await Self.$isRunning.withValue(true) {
        try await withTaskExecutorPreference(Self.executor) { try await function() }
      }
    }
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
  /// One test with much work at a time.
  public static var heavy: Self { Self() }
}
