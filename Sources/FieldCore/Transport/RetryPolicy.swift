/// A policy that decides when to send a request again, and how long to wait first.
///
/// ```swift
/// var policy = RetryPolicy.default
/// policy.attempts = 6
/// policy.codes.insert(.offline)
/// let transport = URLSessionTransport().retrying(policy)
/// ```
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of times to send a request, including the first; defaults to 4.
  public var attempts: Int
  /// The maximum wait before the second attempt, which defaults to 0.5 seconds.
  ///
  /// The maximum doubles with every further attempt, and each wait is drawn evenly between zero and
  /// the maximum ("full jitter"), so that clients that failed together don't return together.
  public var initialDelay: Duration
  /// The limit of the doubling, which defaults to 20 seconds.
  public var maximumDelay: Duration
  /// The limit of a server's `Retry-After`, which defaults to 60 seconds.
  public var maximumRetryAfter: Duration
  /// The time after the first attempt within which every further one must begin, which defaults to
  /// 2 minutes.
  ///
  /// If the next wait would exceed it, the last response or error is returned immediately.
  public var maximumTotalDelay: Duration
  /// The statuses to retry after, which default to 408, 429, 500, 502, 503, and 504.
  public var statuses: Set<Int> {
    get { ownStatuses ?? Set(Self.usualStatuses) }
    set { ownStatuses = newValue == Set(Self.usualStatuses) ? nil : newValue }
  }
  /// The errors to retry after.
  ///
  /// Defaults to ``FieldError/Code/connectionLost``, ``FieldError/Code/timeout``,
  /// ``FieldError/Code/bodyCut``, and ``FieldError/Code/transport``. ``FieldError/Code/offline``
  /// isn't included: a device without a network knows so immediately, and showing old data now is
  /// better than showing it after four attempts.
  public var codes: Set<FieldError.Code> {
    get { ownCodes ?? Set(Self.usualCodes) }
    set { ownCodes = newValue == Set(Self.usualCodes) ? nil : newValue }
  }

  // The usual sets are `nil`, because every kit has a policy, and the first set of each type takes a tenth of a
  // millisecond in a new process.
  private var ownStatuses: Set<Int>?
  private var ownCodes: Set<FieldError.Code>?
  private static let usualStatuses = [408, 429, 500, 502, 503, 504]
  private static let usualCodes: [FieldError.Code] = [
    .connectionLost, .timeout, .bodyCut, .transport,
  ]

  /// Creates a policy, whose values default to those of ``default``.
  public init(
    attempts: Int = 4,
    initialDelay: Duration = .milliseconds(500),
    maximumDelay: Duration = .seconds(20),
    maximumRetryAfter: Duration = .seconds(60),
    maximumTotalDelay: Duration = .seconds(120),
    statuses: Set<Int> = [408, 429, 500, 502, 503, 504],
    codes: Set<FieldError.Code> = [.connectionLost, .timeout, .bodyCut, .transport]
  ) {
    self.init(
      attempts, initialDelay, maximumDelay, maximumRetryAfter, maximumTotalDelay)
    self.statuses = statuses
    self.codes = codes
  }

  private init(
    _ attempts: Int, _ initialDelay: Duration, _ maximumDelay: Duration,
    _ maximumRetryAfter: Duration, _ maximumTotalDelay: Duration
  ) {
    self.attempts = attempts
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
    self.maximumTotalDelay = maximumTotalDelay
  }

  /// The policy of up to four attempts within two minutes.
  public static var `default`: RetryPolicy {
    RetryPolicy(4, .milliseconds(500), .seconds(20), .seconds(60), .seconds(120))
  }

  /// Returns the wait after an attempt, numbered from 1, for a random number from 0 through 1.
  func wait(afterAttempt attempt: Int, random: Double) -> Duration {
    let longest = Backoff(first: initialDelay, longest: maximumDelay).wait(afterFailures: attempt)
    // The comparison also turns NaN into zero.
    return longest * (random > 0 ? min(random, 1) : 0)
  }

  /// Returns whether to retry after a response with a status.
  func covers(_ status: Int) -> Bool {
    ownStatuses?.contains(status) ?? Self.usualStatuses.contains(status)
  }

  /// Returns whether to retry after an error.
  func covers(_ error: any Error) -> Bool {
    if error is CancellationError { return false }
    // A custom transport may throw its own errors, which count as "failed in another way".
    let code = (error as? FieldError)?.code ?? .transport
    return ownCodes?.contains(code) ?? Self.usualCodes.contains(code)
  }
}

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
