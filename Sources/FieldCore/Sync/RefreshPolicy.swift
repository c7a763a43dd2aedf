public import FieldFoundation

/// A policy that decides when data is due for a refresh: a pure function, without a clock.
///
/// Data is due if more than ``interval`` has passed since the last success; after exactly the
/// interval, it is still fresh. Data that was never fetched is due. After consecutive failures, the
/// next attempt is delayed by a time that doubles, but never exceeds the interval, so that an
/// unavailable source isn't queried every time.
///
/// A device's clock may be set back. A success or an attempt in the future says nothing about the
/// age of the data, so it never delays a refresh.
///
/// ```swift
/// let policy = RefreshPolicy.daily
/// if policy.isDue(lastSuccess: checkpoint.lastSuccess, now: clock.now) { … }
/// ```
public struct RefreshPolicy: Sendable, Hashable, Codable {
  /// The time for which data stays fresh; data is always due if it is zero or less.
  public var interval: Duration
  /// The delay after the first failure, which defaults to 60 seconds and doubles after each further
  /// one.
  public var initialDelay: Duration
  /// The maximum delay after failures, which defaults to one hour.
  public var maximumDelay: Duration

  /// Creates a policy.
  public init(
    interval: Duration, initialDelay: Duration = .seconds(60),
    maximumDelay: Duration = .seconds(3_600)
  ) {
    self.interval = interval
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// A policy by which data is due after more than 86,400 seconds.
  public static var daily: RefreshPolicy { RefreshPolicy(interval: .seconds(86_400)) }

  /// A policy by which data is always due, even after failures.
  public static var always: RefreshPolicy { RefreshPolicy(interval: .zero) }

  /// Returns a policy by which data is due after more than an interval.
  public static func every(_ interval: Duration) -> RefreshPolicy {
    RefreshPolicy(interval: interval)
  }

  /// Returns a Boolean value that indicates whether a refresh is due.
  ///
  /// - Parameters:
  ///   - lastSuccess: The date when the source last confirmed the data; `nil` if it never did.
  ///   - now: The current date and time.
  ///   - failures: The number of failed attempts since the last success.
  ///   - lastAttempt: The start of the last attempt; without it, failures cause no delay.
  public func isDue(
    lastSuccess: Date?, now: Date, failures: Int = 0, lastAttempt: Date? = nil
  ) -> Bool {
    nextDate(lastSuccess: lastSuccess, now: now, failures: failures, lastAttempt: lastAttempt)
      <= now
  }

  /// Returns the first moment from `now` on when a refresh is due, which is `now` if it is due
  /// already.
  ///
  /// Because the data is still fresh after exactly the interval, this is the first moment after it
  /// that a `Date` can represent, about 0.1 µs later. If you schedule a wake-up for this date, the
  /// data is due then, and you never have to wake up twice. (A success or an
  /// attempt later than `now` is ignored, and may count again once its time has come.)
  public func nextDate(
    lastSuccess: Date?, now: Date, failures: Int = 0, lastAttempt: Date? = nil
  ) -> Date {
    var next = now
    if let lastSuccess, lastSuccess <= now, interval > .zero {
      let fresh = lastSuccess.timeIntervalSinceReferenceDate + interval / .seconds(1)
      next = max(next, Date(timeIntervalSinceReferenceDate: fresh.nextUp))
    }
    if let lastAttempt, lastAttempt <= now {
      let backoff = Backoff(first: initialDelay, longest: min(maximumDelay, interval))
      let wait = backoff.wait(afterFailures: failures)
      next = max(next, lastAttempt.addingTimeInterval(wait / .seconds(1)))
    }
    return next
  }
}
