public import FieldFoundation

/// When data are old enough to be refreshed: a pure function of what is known, without a clock.
///
/// Data are due once more than ``interval`` has passed since the last success: exactly the interval
/// is still fresh. Data that never came are due. After failures in a row the next attempt waits a
/// time that doubles, but never longer than the interval itself, so that a source that is down is
/// not asked at every turn.
///
/// A device's clock may be set back. A success or an attempt that lies in the future says nothing
/// about the age of the data, so it never holds a refresh up.
///
/// ```swift
/// let policy = RefreshPolicy.daily
/// if policy.isDue(lastSuccess: checkpoint.lastSuccess, now: clock.now) { … }
/// ```
public struct RefreshPolicy: Sendable, Hashable, Codable {
  /// How long data are fresh; zero or less means that they are due always.
  public var interval: Duration
  /// The wait after the first failure; a minute by default. It doubles with every further one.
  public var initialDelay: Duration
  /// The longest wait after failures; an hour by default.
  public var maximumDelay: Duration

  /// Makes a policy.
  public init(
    interval: Duration, initialDelay: Duration = .seconds(60),
    maximumDelay: Duration = .seconds(3_600)
  ) {
    self.interval = interval
    self.initialDelay = initialDelay
    self.maximumDelay = maximumDelay
  }

  /// Data are due when more than 86,400 seconds have passed.
  public static var daily: RefreshPolicy { RefreshPolicy(interval: .seconds(86_400)) }

  /// Data are always due, after failures too.
  public static var always: RefreshPolicy { RefreshPolicy(interval: .zero) }

  /// Data are due when more than this time has passed.
  public static func every(_ interval: Duration) -> RefreshPolicy {
    RefreshPolicy(interval: interval)
  }

  /// Whether it is time to refresh.
  ///
  /// - Parameters:
  ///   - lastSuccess: When the source last confirmed the data; nil when it never did.
  ///   - now: The date and time of now.
  ///   - failures: How many attempts have failed since the last success.
  ///   - lastAttempt: When the last attempt began; without it failures hold nothing up.
  public func isDue(
    lastSuccess: Date?, now: Date, failures: Int = 0, lastAttempt: Date? = nil
  ) -> Bool {
    nextDate(lastSuccess: lastSuccess, now: now, failures: failures, lastAttempt: lastAttempt)
      <= now
  }

  /// The first moment from `now` on at which ``isDue(lastSuccess:now:failures:lastAttempt:)`` is
  /// true: `now` itself when a refresh is due.
  ///
  /// Since exactly the interval is still fresh, this is the first moment after it that a `Date` can
  /// tell from it, some ten millionths of a second later. A scheduler that wakes at it finds the
  /// data due, and never has to wake twice. (A success or an attempt that lies in the future of
  /// `now` is left aside, and may count again once its time has come.)
  public func nextDate(
    lastSuccess: Date?, now: Date, failures: Int = 0, lastAttempt: Date? = nil
  ) -> Date {
    var next = now
    if let lastSuccess, lastSuccess <= now, interval > .zero {
      let fresh = lastSuccess.timeIntervalSinceReferenceDate + seconds(interval)
      next = max(next, Date(timeIntervalSinceReferenceDate: fresh.nextUp))
    }
    if let lastAttempt, lastAttempt <= now {
      let backoff = Backoff(first: initialDelay, longest: min(maximumDelay, interval))
      let wait = backoff.wait(afterFailures: failures)
      next = max(next, lastAttempt.addingTimeInterval(seconds(wait)))
    }
    return next
  }

  private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
