import Foundation

/// Two tasks that read without a pause, beside one that commits without a pause.
struct ReadersAndWriter {
  /// How long they run, in seconds.
  let seconds: Double

  /// What the tasks got done.
  struct Outcome: Sendable {
    fileprivate var isOfReader = false
    var count = 0
    /// The longest time between two of them, in nanoseconds.
    var longest = 0.0
  }

  /// Runs two readers and a writer for a while; each call gets a number.
  @concurrent
  func run(
    read: @escaping @Sendable (Int) async throws -> Bool,
    commit: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> (reads: Outcome, commits: Outcome) {
    let end = ContinuousClock.now + .seconds(seconds)
    let repeated: @Sendable (Int, (Int) async throws -> Void) async throws -> Outcome = {
      first, body in
      var outcome = Outcome()
      var last = ContinuousClock.now
      while last < end {
        try await body(first + outcome.count)
        let now = ContinuousClock.now
        outcome.longest = max(outcome.longest, (now - last) / .nanoseconds(1))
        outcome.count += 1
        last = now
      }
      return outcome
    }
    return try await withThrowingTaskGroup(of: Outcome.self) { group in
      for reader in 0..<2 {
        group.addTask {
          var outcome = try await repeated(reader * 7_919) { number in
            try require(try await read(number), "a reader missed a row")
          }
          outcome.isOfReader = true
          return outcome
        }
      }
      group.addTask { try await repeated(0, commit) }
      var (reads, commits) = (Outcome(), Outcome())
      for try await outcome in group {
        guard outcome.isOfReader else {
          commits = outcome
          continue
        }
        reads.count += outcome.count
        reads.longest = max(reads.longest, outcome.longest)
      }
      return (reads, commits)
    }
  }
}
