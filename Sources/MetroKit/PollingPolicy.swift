internal import FieldCore

/// The intervals at which ``Metro/boards(every:)`` polls, and the delays after failures.
public struct PollingPolicy: Sendable, Hashable, Codable {
  /// The shortest interval; requests for a shorter one use this one.
  ///
  /// Defaults to 5 seconds.
  ///
  /// The feed itself is rewritten about every 30 seconds, so polling more often than every 15 finds
  /// nothing new.
  public var shortestInterval: Duration
  /// The longest delay after consecutive failures.
  ///
  /// Defaults to 300 seconds. After the first failure, the next poll waits for the interval only;
  /// each further failure doubles the delay. The delay is never shorter than the interval.
  public var maximumDelay: Duration
  /// The maximum fraction by which a wait is lengthened at random, from 0 through 1.
  ///
  /// Defaults to 0.1.
  ///
  /// Jitter keeps a thousand devices on the same timetable from polling at the same moment.
  public var jitter: Double

  /// Creates a policy.
  public init(
    shortestInterval: Duration = .seconds(5), maximumDelay: Duration = .seconds(300),
    jitter: Double = 0.1
  ) {
    self.shortestInterval = shortestInterval
    self.maximumDelay = maximumDelay
    self.jitter = jitter
  }

  /// Returns the time from one poll to the next.
  ///
  /// - Parameters:
  ///   - interval: The requested interval.
  ///   - failures: The number of consecutive failed polls.
  ///   - random: A number from 0 through 1, drawn for each wait.
  public func wait(every interval: Duration, failures: Int = 0, random: Double = 0) -> Duration {
    let interval = max(interval, shortestInterval, .milliseconds(1))
    let backoff = Backoff(first: interval, longest: max(maximumDelay, interval))
    let wait = max(interval, backoff.wait(afterFailures: failures))
    // Written so that NaN becomes zero, too.
    let chance = random > 0 ? min(random, 1) : 0
    return wait * (1 + (jitter > 0 ? min(jitter, 1) : 0) * chance)
  }
}
