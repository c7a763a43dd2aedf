/// Delays that double with every failure, up to a maximum.
package struct Backoff: Sendable, Hashable {
  /// The delay after the first failure.
  package var first: Duration
  /// The maximum delay.
  package var longest: Duration

  package init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// Returns the delay after a number of consecutive failures, which is zero after none.
  package func wait(afterFailures failures: Int) -> Duration {
    guard failures > 0, first > .zero, longest > .zero else { return .zero }
    var wait = min(first, longest)
    var left = failures - 1
    while left > 0, wait < longest {
      // The comparison uses half of the maximum, so that no number of failures overflows.
      wait = wait > longest / 2 ? longest : wait * 2
      left -= 1
    }
    return wait
  }
}
