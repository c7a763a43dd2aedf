internal import FieldCore

/// How ``Metro/boards(every:)`` asks again and again: how often at most, and how it holds back when the
/// source fails.
public struct PollingPolicy: Sendable, Hashable, Codable {
  /// The shortest interval; a shorter one that is asked for counts as this. 5 seconds by default.
  ///
  /// The feed itself is written anew about every 30 seconds, so asking more often than every 15 finds
  /// nothing new.
  public var shortestInterval: Duration
  /// The longest wait after failures in a row; 5 minutes by default. The first failure costs nothing
  /// but the interval, and then the wait doubles with every further one. It is never shorter than the
  /// interval.
  public var maximumDelay: Duration
  /// The greatest share by which a wait is lengthened by chance, 0 to 1; 0.1 by default.
  ///
  /// So that a thousand devices that were started by the same timetable do not ask in the same moment.
  public var jitter: Double

  /// Makes a policy; what is not given is as by default.
  public init(
    shortestInterval: Duration = .seconds(5), maximumDelay: Duration = .seconds(300),
    jitter: Double = 0.1
  ) {
    self.shortestInterval = shortestInterval
    self.maximumDelay = maximumDelay
    self.jitter = jitter
  }

  /// The time from one poll to the next.
  ///
  /// - Parameters:
  ///   - interval: What was asked for.
  ///   - failures: How many polls have failed in a row.
  ///   - random: A number from 0 to 1, drawn anew for each wait.
  public func wait(every interval: Duration, failures: Int = 0, random: Double = 0) -> Duration {
    let interval = max(interval, shortestInterval, .milliseconds(1))
    let backoff = Backoff(first: interval, longest: max(maximumDelay, interval))
    let wait = max(interval, backoff.wait(afterFailures: failures))
    // Written so that NaN, too, falls to zero.
    let chance = random > 0 ? min(random, 1) : 0
    return wait * (1 + (jitter > 0 ? min(jitter, 1) : 0) * chance)
  }
}
