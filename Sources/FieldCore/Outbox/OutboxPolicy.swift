/// When an ``Outbox`` sends operations again, and how many at the same time.
public struct OutboxPolicy: Sendable, Hashable {
  /// The longest delay after the first failure. Defaults to 1 second.
  ///
  /// It doubles after each further failure. The delay itself is drawn evenly between zero and it ("full
  /// jitter"), so that devices that failed together don't come back together.
  public var initialDelay: Duration
  /// The delay at which the doubling stops. Defaults to 10 minutes.
  public var maximumDelay: Duration
  /// The maximum that a server's `Retry-After` is cut to. Defaults to 1 hour.
  public var maximumRetryAfter: Duration
  /// The maximum number of lanes that are sent at the same time. Defaults to 4.
  public var maximumConcurrentLanes: Int
  /// How long an operation belongs to the process that is sending it. Defaults to 60 seconds.
  ///
  /// If that process ends before it has recorded an outcome, another one asks the server when this time has
  /// passed. Choose more than the longest request takes; pass zero if no other outbox sends from the store.
  public var lease: Duration

  /// Creates a policy.
  public init(
    initialDelay: Duration = .seconds(1), maximumDelay: Duration = .seconds(600),
    maximumRetryAfter: Duration = .seconds(3_600), maximumConcurrentLanes: Int = 4,
    lease: Duration = .seconds(60)
  ) {
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
    self.maximumConcurrentLanes = maximumConcurrentLanes
    self.lease = lease
  }

  /// Returns the delay after an attempt that failed, for a random number from 0 to 1.
  func delay(afterFailures failures: Int, random: Double) -> Duration {
    // Written so that NaN, too, falls to zero.
    Backoff(first: initialDelay, longest: maximumDelay).wait(afterFailures: failures)
      * (random > 0 ? min(random, 1) : 0)
  }
}
