internal import Dispatch
internal import FieldCore

/// Calls that a conformance case makes at the same time.
package final class Race: Sendable {
  /// The race that the current task takes part in.
  @TaskLocal package static var current: Race?

  private let participants: Int
  private let arrivals = Lock<Arrivals>(Arrivals())
  private let changes = Lock(0)
  private let secondChange = DispatchSemaphore(value: 0)

  private struct Arrivals {
    var count = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private init(participants: Int) { self.participants = participants }

  /// Makes calls at the same time and returns their results, in the order of their numbers.
  static func run<Output: Sendable>(
    _ count: Int = 50,
    _ call: @escaping @Sendable (_ number: Int, _ race: Race) async throws -> Output
  ) async throws -> [Output] {
    let race = Race(participants: count)
    return try await $current.withValue(race) {
      try await Array(0..<count).concurrentMap { try await call($0, race) }
    }
  }

  /// Suspends until every participant has called this method.
  ///
  /// A repository with a planted race calls it between reading and writing, so that the defect shows in
  /// every run instead of in most.
  package func everyParticipantArrives() async {
    await withCheckedContinuation { continuation in
      let ready = arrivals.withLock { arrivals in
        arrivals.count += 1
        arrivals.waiters.append(continuation)
        guard arrivals.count >= participants else { return [CheckedContinuation<Void, Never>]() }
        defer { arrivals.waiters = [] }
        return arrivals.waiters
      }
      for waiter in ready { waiter.resume() }
    }
  }

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
