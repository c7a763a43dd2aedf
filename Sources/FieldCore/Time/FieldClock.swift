public import FieldFoundation

/// A type that provides the time and waits.
///
/// Every kit takes a clock, which defaults to `.system`, and nothing in the package gets the time
/// from the device in another way. Tests pass a clock that they move by hand.
public protocol FieldClock: Sendable {
  /// The current date and time, which may jump when the device's clock is set.
  var now: Date { get }

  /// The time since a fixed moment in the past, which never decreases.
  var uptime: Duration { get }

  /// Waits, and throws `CancellationError` if the task is canceled.
  func sleep(for duration: Duration) async throws
}

/// The device's clock.
public struct SystemClock: FieldClock {
  /// The moment that ``uptime`` counts from.
  ///
  /// Static properties are initialized when they are first read, so read this one before the current
  /// time: the other way around, the first uptime of a process would be negative.
  private static let start = ContinuousClock.now

  /// Creates the clock.
  public init() {}

  /// The device's date and time.
  public var now: Date { Date() }

  /// The time since the first use of the clock in this process.
  public var uptime: Duration {
    let start = Self.start
    return ContinuousClock.now - start
  }

  /// Waits on the continuous clock, which advances while the device sleeps.
  public func sleep(for duration: Duration) async throws {
    // The continuous clock traps on a moment too far away, so waits are limited to a century.
    try await Task.sleep(
      for: min(duration, Duration.seconds(Int64(3_155_760_000))), clock: .continuous)
  }
}

extension FieldClock where Self == SystemClock {
  /// The device's clock.
  public static var system: SystemClock { SystemClock() }
}
