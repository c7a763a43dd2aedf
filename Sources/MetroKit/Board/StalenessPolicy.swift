internal import FieldCore

/// A policy that decides which rows of a board are still worth showing.
///
/// The feed contains ghosts: of the 32 rows of a capture of October 18, 2024, 13 had been frozen
/// since early morning and one for a year and a half. A row says "a train to X is entering Y now",
/// so an old one is useless.
///
/// The default of 90 seconds follows from how the feed works: it is rewritten about every 30
/// seconds, the rows of one version are up to 36 seconds apart, and an app polls every 15 to 30
/// seconds. A row can therefore be some 90 seconds old without any error. The times in the feed are
/// up to half a minute ahead of a correct clock; the policy allows for a minute.
public struct StalenessPolicy: Sendable, Hashable, Codable {
  /// The greatest age of a fresh row, inclusive.
  ///
  /// Defaults to 90 seconds.
  public var maximumAge: Duration
  /// The greatest time by which a fresh row may be ahead of the clock, inclusive.
  ///
  /// Defaults to 60 seconds.
  ///
  /// A row further ahead can't have happened yet, so it is stale.
  public var maximumLead: Duration
  /// The time between boards after which a row with the same time is frozen.
  ///
  /// Defaults to 90 seconds.
  ///
  /// The device's clock measures the time from one board to the other, so the check also detects
  /// ghosts if that clock is wrong, and rows whose time is always in the future. If the clock is set
  /// forward between two boards, rows that are on both count as frozen.
  public var frozenAfter: Duration
  /// A Boolean value that indicates whether ages use the server's clock.
  ///
  /// Defaults to `true`.
  ///
  /// Phone clocks are off by minutes; the server's `Date` isn't. Without one, the device's clock is
  /// used.
  public var usesServerClock: Bool

  /// Creates a policy.
  public init(
    maximumAge: Duration = .seconds(90), maximumLead: Duration = .seconds(60),
    frozenAfter: Duration = .seconds(90), usesServerClock: Bool = true
  ) {
    self.maximumAge = maximumAge
    self.maximumLead = maximumLead
    self.frozenAfter = frozenAfter
    self.usesServerClock = usesServerClock
  }

  /// Returns the verdict on a row.
  ///
  /// - Parameters:
  ///   - age: The age of the row, negative if its time is in the future; `nil` if it has no
  ///     readable time.
  ///   - standing: The time between the boards on which the row had this time.
  public func freshness(age: Duration?, standing: Duration = .zero) -> ArrivalFreshness {
    guard let age else { return .undated }
    if standing > frozenAfter { return .frozen }
    if age < .zero - maximumLead { return .ahead }
    return age > maximumAge ? .old : .fresh
  }
}
