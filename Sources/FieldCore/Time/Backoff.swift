/// Waits that double with every failure, up to a longest one.
package struct Backoff: Sendable, Hashable {
  /// The wait after the first failure.
  package var first: Duration
  /// The wait that is never exceeded.
  package var longest: Duration

  package init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The wait after so many failures in a row: zero after none.
  package func wait(afterFailures failures: Int) -> Duration {
    guard failures > 0, first > .zero, longest > .zero else { return .zero }
    var wait = min(first, longest)
    var left = failures - 1
    while left > 0, wait < longest {
      // Compared by half, so that no count of failures overflows.
      wait = wait > longest / 2 ? longest : wait * 2
      left -= 1
    }
    return wait
  }
}
