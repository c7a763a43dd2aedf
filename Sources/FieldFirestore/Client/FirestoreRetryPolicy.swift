/// The number of attempts for a call, and the delays between them.
///
/// Which failures are retried depends on the method, as in Google's clients.
public struct FirestoreRetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, including the first.
  ///
  /// Defaults to 5.
  public var attempts = 5
  /// The delay after the first failure.
  ///
  /// Defaults to 1 second.
  public var initialDelay = Duration.seconds(1)
  /// The factor by which the delay grows.
  ///
  /// Defaults to 1.5.
  public var multiplier = 1.5
  /// The maximum delay before jitter, which applies immediately if a quota is exhausted.
  ///
  /// Defaults to 60 seconds.
  public var maximumDelay = Duration.seconds(60)
  /// The maximum random deviation from a delay, as a fraction of it.
  ///
  /// Defaults to 0.5.
  public var jitter = 0.5
  /// The maximum time between the first and the last attempt.
  ///
  /// Defaults to 5 minutes.
  public var maximumTotalDelay = Duration.seconds(300)

  /// Creates the default policy.
  public init() {}

  /// A policy that never repeats a call.
  public static var never: FirestoreRetryPolicy {
    var policy = FirestoreRetryPolicy()
    policy.attempts = 1
    return policy
  }

  /// Returns the delay after an attempt, numbered from 1, for a random number from 0 through 1.
  func delay(afterAttempt attempt: Int, isExhausted: Bool, random: Double) -> Duration {
    var delay = isExhausted ? maximumDelay : initialDelay
    for _ in 1..<max(1, min(attempt, 100)) where delay < maximumDelay { delay = delay * multiplier }
    return min(delay, maximumDelay) * (1 + jitter * (2 * min(max(random, 0), 1) - 1))
  }
}
