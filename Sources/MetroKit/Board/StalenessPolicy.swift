internal import FieldCore

/// Decides which rows of a board are still worth showing.
///
/// The feed contains ghosts: of the 32 rows of a capture of 18 October 2024, 13 stood still since
/// early morning and one for a year and a half. A row says "a train to X is entering Y now", so an old
/// one is of no use.
///
/// The default of 90 seconds follows from how the feed works: it is written anew about every 30
/// seconds, the rows of one writing are up to 36 seconds apart, and an app asks every 15 to 30
/// seconds. So a row can be some 90 seconds old through nobody's fault. The times in the feed are up to
/// half a minute ahead of a right clock; a minute is allowed for.
public struct StalenessPolicy: Sendable, Hashable, Codable {
  /// The greatest age of a fresh row, inclusive; 90 seconds by default.
  public var maximumAge: Duration
  /// How far ahead of the clock the time of a fresh row may be, inclusive; 60 seconds by default.
  ///
  /// A row further ahead is no event that has happened: it is stale.
  public var maximumLead: Duration
  /// A row that stands on boards so far apart with the same time is frozen; 90 seconds by default.
  ///
  /// It is at least that old whatever the clocks say, so this also finds ghosts when the device's clock
  /// is wrong, and rows whose time lies in the future for ever.
  public var frozenAfter: Duration
  /// Whether ages are measured by the clock of the server that sent the board; true by default.
  ///
  /// Phones are off by minutes; the server's `Date` is not. Without one the device's clock is used.
  public var usesServerClock: Bool

  /// Makes a policy; what is not given is as by default.
  public init(
    maximumAge: Duration = .seconds(90), maximumLead: Duration = .seconds(60),
    frozenAfter: Duration = .seconds(90), usesServerClock: Bool = true
  ) {
    self.maximumAge = maximumAge
    self.maximumLead = maximumLead
    self.frozenAfter = frozenAfter
    self.usesServerClock = usesServerClock
  }

  /// The verdict on a row.
  ///
  /// - Parameters:
  ///   - age: How long ago the row's time is, negative when it lies ahead; nil when the row has none.
  ///   - standing: How far the boards are apart on which the row stood with this time.
  public func freshness(age: Duration?, standing: Duration = .zero) -> ArrivalFreshness {
    guard let age else { return .undated }
    if standing > frozenAfter { return .frozen }
    if age < .zero - maximumLead { return .ahead }
    return age > maximumAge ? .old : .fresh
  }
}
