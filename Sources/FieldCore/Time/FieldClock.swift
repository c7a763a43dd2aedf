public import FieldFoundation

/// Where the package gets the time from.
///
/// Every kit takes a clock, `.system` unless told otherwise, and nothing in the package asks the
/// device for the time in another way. Tests pass a clock that they move by hand.
public protocol FieldClock: Sendable {
  /// The date and time of day, which may jump when the device's clock is set.
  var now: Date { get }

  /// The time since a fixed moment in the past, which never goes back.
  var uptime: Duration { get }

  /// Waits; throws `CancellationError` when the task is cancelled meanwhile.
  func sleep(for duration: Duration) async throws
}

/// The device's own clock.
public struct SystemClock: FieldClock {
  private static let start = ContinuousClock.now

  /// Makes the clock.
  public init() {}

  /// The device's date and time.
  public var now: Date { Date() }

  /// The time since the first use of the clock in this process.
  public var uptime: Duration { ContinuousClock.now - Self.start }

  /// Waits with the continuous clock, which goes on while the device sleeps.
  public func sleep(for duration: Duration) async throws {
    // The continuous clock traps on a moment that is too far away; a century is as good as for ever.
    try await Task.sleep(for: min(duration, Duration.seconds(3_155_760_000)), clock: .continuous)
  }
}

extension FieldClock where Self == SystemClock {
  /// The device's own clock.
  public static var system: SystemClock { SystemClock() }
}
