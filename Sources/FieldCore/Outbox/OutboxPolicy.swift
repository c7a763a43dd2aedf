/// The delays between attempts of an ``Outbox``, and its maximum concurrency.
public struct OutboxPolicy: Sendable, Hashable {
  /// The maximum delay after the first failure.
  ///
  /// Defaults to 1 second.
  ///
  /// The maximum doubles after each further failure. The delay is drawn uniformly from zero through
  /// that maximum ("full jitter"), so that devices that failed together don't retry together.
  public var initialDelay: Duration
  /// The delay at which the doubling stops.
  ///
  /// Defaults to 10 minutes.
  public var maximumDelay: Duration
  /// The upper limit for a server's `Retry-After`.
  ///
  /// Defaults to 1 hour.
  public var maximumRetryAfter: Duration
  /// The maximum number of lanes that are sent at the same time.
  ///
  /// Defaults to 4.
  public var maximumConcurrentLanes: Int
  /// The time for which a process claims the operation that it is sending.
  ///
  /// Defaults to 60 seconds.
  ///
  /// If that process ends before it has recorded an outcome, such as in a crash, a process of the same
  /// system sees that and asks the server at once; one of another computer or container, and another outbox
  /// of the same process, asks after this time. Choose a time longer than any request takes, or zero if no
  /// other outbox sends from the store.
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

  /// Returns the delay after a failed attempt, for a random number from 0 through 1.
  func delay(afterFailures failures: Int, random: Double) -> Duration {
    // Written so that NaN leads to zero, too.
    Backoff(first: initialDelay, longest: maximumDelay).wait(afterFailures: failures)
      * (random > 0 ? min(random, 1) : 0)
  }
}
