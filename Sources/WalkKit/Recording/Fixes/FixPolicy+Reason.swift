extension FixPolicy {
  /// A reason why a fix isn't on the route; more reasons may be added.
  public struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The name of the reason.
    public var rawValue: String
    /// Creates a reason with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the reason.
    public var description: String { rawValue }

    /// The walk is paused.
    public static var paused: Reason { Reason(rawValue: "paused") }
    /// The walk isn't being recorded: it is being saved, or is over.
    public static var notRunning: Reason { Reason(rawValue: "notRunning") }
    /// The accuracy is negative or not a number, which is how receivers report an unknown position.
    public static var invalid: Reason { Reason(rawValue: "invalid") }
    /// The location is 0, 0, which is how some receivers report an unknown position.
    public static var nullIsland: Reason { Reason(rawValue: "nullIsland") }
    /// The fix is older or newer than ``FixPolicy/maximumAge`` allows.
    public static var tooOld: Reason { Reason(rawValue: "tooOld") }
    /// The fix was measured while the walk was paused, and delivered later.
    ///
    /// A policy that accepts fixes of any age never uses this reason.
    public static var beforeResuming: Reason { Reason(rawValue: "beforeResuming") }
    /// The fix isn't later than the previous one, or is the first that differs from it by 10 years.
    ///
    /// In the second case, the next fix may confirm it.
    public static var outOfOrder: Reason { Reason(rawValue: "outOfOrder") }
    /// The radius is larger than ``FixPolicy/maximumAccuracy``.
    public static var inaccurate: Reason { Reason(rawValue: "inaccurate") }
    /// The implied speed is impossible; if the next fix confirms this one, a new segment starts.
    public static var jump: Reason { Reason(rawValue: "jump") }
    /// The fix is closer to the last point than ``FixPolicy/minimumDistance``.
    public static var tooNear: Reason { Reason(rawValue: "tooNear") }
    /// The user hasn't moved away for ``FixPolicy/stillDuration``.
    public static var standingStill: Reason { Reason(rawValue: "standingStill") }
  }
}
