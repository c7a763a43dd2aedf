internal import Dispatch
internal import FieldCore

/// Calls that a conformance case makes at the same time.
package final class Race: Sendable {
  /// The race that the current task takes part in.
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

  /// Makes calls at the same time and returns their results, in the order of their numbers.
  ///
  /// A call that ends before it has arrived anywhere doesn't keep the others waiting.
  static func run<Output: Sendable>(
    _ count: Int = 50,
    _ call: @escaping @Sendable (_ number: Int, _ race: Race) async throws -> Output
  ) async throws -> [Output] {
    let race = Race(participants: count)
    return try await $current.withValue(race) {
      // On threads of its own: one that a change blocks leaves the others free.
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

  /// Suspends until every participant has called this method: the cases call it between reading and writing.
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

  /// Suspends until a reader has read something that it began to read after this call.
  ///
  /// A store with a planted half-written state calls it in that state.
  package func readersRead() async {
    guard readers > 0 else { return }
    // Each reader may be in the middle of a reading, and the next one is of what is there now.
    await reads.reach { $0 + readers + 1 }
  }

  /// Notes that a reader has read.
  func noteRead() { reads.add(1) }

  /// Lets go of those that wait for readers, because one has ended.
  func endReading() { reads.open() }

  /// Blocks the first change until another one is under way, so that both have read before either writes.
  ///
  /// A repository that makes one change at a time never gets that far. The first change then waits for a
  /// tenth of a second; no other change ever waits.
  func holdUntilAnotherChange() {
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
private final class RaceCount: Sendable {
  private struct Waiter {
    let goal: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var count = 0
    var isOpen = false
    var waiters: [Waiter] = []
  }

  private let state = Lock(State())

  /// Lets go of all that wait, now and later.
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

  /// Suspends until the count is at least what `goal` makes of the present one.
  func reach(_ goal: @Sendable (Int) -> Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        let goal = goal(state.count)
        if state.isOpen || goal <= state.count { return true }
        state.waiters.append(Waiter(goal: goal, continuation: continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}
