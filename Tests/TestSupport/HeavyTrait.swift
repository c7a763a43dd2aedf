internal import Dispatch
internal import FieldCore
internal import Foundation
public import Testing

/// Lets as many tests with much work run at once as there are processors, on threads of their own.
///
/// Tests run side by side on as many threads as there are processors. A test that computes for seconds
/// without waiting keeps one of them, and enough such tests keep all the others, those that talk to a
/// server in real time among them, waiting for a minute.
///
/// The tests that cost most begin first, so that none of them is left alone at the end. A problem of such
/// a test comes with the seed of the run.
public struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
  private static let slots = Slots(ProcessInfo.processInfo.activeProcessorCount)
  private static let executor = QueueExecutor()
  /// Whether the running test has a slot, since a suite and its tests may both be called heavy.
  @TaskLocal private static var isRunning = false

  /// About how many seconds the test takes in a debug build, or `nil` if another process does its work.
  private let seconds: Int?

  fileprivate init(seconds: Int?) { self.seconds = seconds }

  /// Every test of a suite waits by itself.
  public var isRecursive: Bool { true }

  /// Runs the test when a slot is free. A time limit counts the wait as well.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard !Self.isRunning else { return try await function() }
    let cost = test.traits.compactMap { ($0 as? Self)?.seconds }.max()
    if let cost { await Self.slots.take(cost) }
    defer { if cost != nil { Self.slots.give() } }
    let seeded = IssueHandlingTrait.compactMapIssues { issue in
      var issue = issue
      issue.comments.append("FIELDKIT_SEED=\(Sample.runSeed)")
      return issue
    }
    try await Self.$isRunning.withValue(true) {
      try await withTaskExecutorPreference(Self.executor) {
        try await seeded.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }
}

/// A number of slots; who finds none free waits for its turn, the costliest first.
private final class Slots: Sendable {
  private struct State: Sendable {
    var free: Int
    var waiting: [(cost: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(free: count)) }

  func take(_ cost: Int) async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        let place = state.waiting.firstIndex { $0.cost < cost } ?? state.waiting.endIndex
        state.waiting.insert((cost, continuation), at: place)
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
      return state.waiting.removeFirst().continuation
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
  /// Tests with much work run on threads of their own, as many at once as there are processors.
  public static var heavy: Self { .heavy(seconds: 0) }

  /// Tests with much work run on threads of their own, as many at once as there are processors.
  ///
  /// - Parameter seconds: About how long one takes in a debug build; the longest begin first.
  public static func heavy(seconds: Int) -> Self { Self(seconds: seconds) }

  /// Tests whose work is done by processes of their own begin at once, on threads of their own.
  ///
  /// Swift Testing's thread that awaits processes keeps a processor busy while one has ended and its test
  /// has no thread to notice that, which among all the others takes half a minute.
  public static var inAnotherProcess: Self { Self(seconds: nil) }
}
