/// How often a failed call is sent again, and how long the client waits before.
///
/// Which failures are retried depends on the method, as in Google's own clients.
public struct FirestoreRetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, the first included. Defaults to 5.
  public var attempts = 5
  /// The wait after the first failure. Defaults to 1 second.
  public var initialDelay = Duration.seconds(1)
  /// The factor that the wait grows by. Defaults to 1.5.
  public var multiplier = 1.5
  /// The longest wait, which an exhausted quota leads to at once. Defaults to 60 seconds.
  public var maximumDelay = Duration.seconds(60)
  /// The part of a wait that is random, to both sides. Defaults to 0.5.
  public var jitter = 0.5
  /// The longest time between the first and the last attempt. Defaults to 5 minutes.
  public var maximumTotalDelay = Duration.seconds(300)

  /// Creates the default policy.
  public init() {}

  /// A policy that never sends a call again.
  public static var never: FirestoreRetryPolicy {
    var policy = FirestoreRetryPolicy()
    policy.attempts = 1
    return policy
  }

  /// The wait after an attempt, numbered from 1, for a random number from 0 to 1.
  func delay(afterAttempt attempt: Int, isExhausted: Bool, random: Double) -> Duration {
    var delay = isExhausted ? maximumDelay : initialDelay
    for _ in 1..<max(1, min(attempt, 100)) where delay < maximumDelay {
      delay = delay * multiplier
    }
    return min(delay, maximumDelay) * (1 + jitter * (2 * min(max(random, 0), 1) - 1))
  }
}
