/// When a request is sent again, and how long to wait before.
///
/// ```swift
/// var policy = RetryPolicy.default
/// policy.attempts = 6
/// policy.codes.insert(.offline)
/// let transport = URLSessionTransport().retrying(policy)
/// ```
public struct RetryPolicy: Sendable, Hashable {
  /// How many times a request is sent at most, the first time included; 4 by default.
  public var attempts: Int
  /// The longest wait before the second attempt; 0.5 seconds by default. It doubles with every
  /// further attempt, and the wait itself is drawn evenly between zero and it ("full jitter"), so
  /// that clients that failed together do not come back together.
  public var initialDelay: Duration
  /// What the doubling stops at; 20 seconds by default.
  public var maximumDelay: Duration
  /// What a server's `Retry-After` is cut to; 60 seconds by default.
  public var maximumRetryAfter: Duration
  /// No attempt begins later than this after the first began; 2 minutes by default. When the next
  /// wait would go past it, the last answer or error is given at once.
  public var maximumTotalDelay: Duration
  /// The statuses to try again after: 408, 429, 500, 502, 503 and 504 by default.
  public var statuses: Set<Int>
  /// The errors to try again after: by default
  /// ``FieldError/Code/connectionLost``, ``FieldError/Code/timeout``, ``FieldError/Code/bodyCut`` and
  /// ``FieldError/Code/transport``.
  ///
  /// ``FieldError/Code/offline`` is not among them: a device without a network knows so at once, and
  /// old data shown now are better than the same data shown after four tries.
  public var codes: Set<FieldError.Code>

  /// Makes a policy; what is not given is as in ``default``.
  public init(
    attempts: Int = 4,
    initialDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(20),
    maximumRetryAfter: Duration = .seconds(60),
    maximumTotalDelay: Duration = .seconds(120),
    statuses: Set<Int> = [408, 429, 500, 502, 503, 504],
    codes: Set<FieldError.Code> = [.connectionLost, .timeout, .bodyCut, .transport]
  ) {
    self.attempts = attempts
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
    self.maximumTotalDelay = maximumTotalDelay
    self.statuses = statuses
    self.codes = codes
  }

  /// Up to four attempts within two minutes.
  public static var `default`: RetryPolicy { RetryPolicy() }

  /// The wait after an attempt, numbered from 1, for a random number from 0 to 1.
  func wait(afterAttempt attempt: Int, random: Double) -> Duration {
    let longest = Backoff(first: initialDelay, longest: maximumDelay).wait(afterFailures: attempt)
    // Written so that NaN, too, falls to zero.
    return longest * (random > 0 ? min(random, 1) : 0)
  }

  /// Whether an error is one to try again after.
  func covers(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    // A user's transport may throw errors of its own: it "failed in another way".
    return codes.contains((error as? FieldError)?.code ?? .transport)
  }
}
