internal import Dispatch
internal import FieldCore

/// Concurrent calls in a conformance case.
package final class Race: Sendable {
  /// The race in which the current task participates.
  @TaskLocal package static var current: Race?

  private let participants: Int
  private let readers: Int
  private let starts = RaceCount()
  private let arrivals = RaceCount()
  private let reads = RaceCount()
  private let changes = Lock(0)
  private let secondChange = DispatchSemaphore(value: 0)

  /// Creates a race.
  ///
  /// - Parameters:
  ///   - participants: The number of calls that ``everyParticipantArrives()`` waits for.
  ///   - readers: The number of tasks that read while others write.
  init(participants: Int = 0, readers: Int = 0) {
    self.participants = participants
    self.readers = readers
  }

  /// Makes concurrent calls and returns their results, in the order of their numbers.
  ///
  /// A call that ends early doesn't keep the others waiting.
  package static func run<Output: Sendable>(
    _ count: Int = 50,
    _ call: @escaping @Sendable (_ number: Int, _ race: Race) async throws -> Output
  ) async throws -> [Output] {
    let race = Race(participants: count)
    return try await $current.withValue(race) {
      // Separate threads: if a change blocks one, the others stay free.
      try await withTaskExecutorPreference(CallerExecutor(threads: 4)) {
        try await Array(0..<count).concurrentMap { number in
          defer {
            race.starts.add(1)
            race.arrivals.add(1)
          }
          return try await call(number, race)
        }
      }
    }
  }

  /// Suspends until every participant has called this method, between reading and writing.
  func everyParticipantStarts() async {
    starts.add(1)
    await starts.reach { _ in participants }
  }

  /// Suspends until every participant has called this method.
  ///
  /// A repository or store with a planted race calls it between reading and writing, so that the defect shows
  /// in every run instead of in most.
  package func everyParticipantArrives() async {
    arrivals.add(1)
    await arrivals.reach { _ in participants }
  }

  /// Suspends until a reader has completed a read that began after this call.
  ///
  /// A store with a planted half-written state calls it in that state.
  package func readersRead() async {
    guard readers > 0 else { return }
    // Each reader may be in the middle of a read, so the next one sees the current state.
    await reads.reach { $0 + readers + 1 }
  }

  func noteRead() { reads.add(1) }

  /// Resumes the tasks that wait for readers, because one has ended.
  func endReading() { reads.open() }

  /// Blocks the first change until another one begins, so that both have read before either writes.
  ///
  /// If a repository makes one change at a time, no other change begins; the first change then
  /// waits for a tenth of a second. No other change ever waits.
  package func holdUntilAnotherChange() {
    let isFirst = changes.withLock { count in
      count += 1
      return count == 1
    }
    if isFirst {
      _ = secondChange.wait(timeout: .now() + .milliseconds(100))
    } else {
      secondChange.signal()
    }
  }
}

/// A count that tasks wait for.
final class RaceCount: Sendable {
  private struct State {
    var count = 0
    var isOpen = false
    var waiters: [(goal: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  /// Resumes all waiting tasks, now and later.
  func open() {
    state.withLock { $0.isOpen = true }
    add(0)
  }

  func add(_ number: Int) {
    let ready = state.withLock { state in
      state.count += number
      let count = state.isOpen ? .max : state.count
      defer { state.waiters.removeAll { $0.goal <= count } }
      return state.waiters.filter { $0.goal <= count }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Suspends until the count is at least the value that `goal` returns for the current one.
  func reach(_ goal: @Sendable (Int) -> Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        let goal = goal(state.count)
        if state.isOpen || goal <= state.count { return true }
        state.waiters.append((goal, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}
