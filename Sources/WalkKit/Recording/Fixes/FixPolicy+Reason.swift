extension FixPolicy {
  /// Why a fix is not on the route: an open set.
  public struct Reason: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
    /// The word for it.
    public var rawValue: String
    /// Makes a reason from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// The walk is paused.
    public static var paused: Reason { Reason(rawValue: "paused") }
    /// The walk is not being recorded: it is being saved, or is over.
    public static var notRunning: Reason { Reason(rawValue: "notRunning") }
    /// The accuracy is negative or no number, with which receivers say that they do not know the place.
    public static var invalid: Reason { Reason(rawValue: "invalid") }
    /// The place is 0, 0: a receiver's way to say that it has none.
    public static var nullIsland: Reason { Reason(rawValue: "nullIsland") }
    /// The fix is older or newer than ``FixPolicy/maximumAge`` allows.
    public static var tooOld: Reason { Reason(rawValue: "tooOld") }
    /// The fix was measured while the walk was paused, and delivered after; never the reason of a policy
    /// that takes fixes of any age.
    public static var beforeResuming: Reason { Reason(rawValue: "beforeResuming") }
    /// The fix is not later than one that came before it, or is ten years away from it and the first that
    /// is; the next one may show that it was right.
    public static var outOfOrder: Reason { Reason(rawValue: "outOfOrder") }
    /// The radius is larger than ``FixPolicy/maximumAccuracy``.
    public static var inaccurate: Reason { Reason(rawValue: "inaccurate") }
    /// Nobody gets there that fast; the next fix may show that it was right, and a new segment starts.
    public static var jump: Reason { Reason(rawValue: "jump") }
    /// The fix is nearer to the last point than ``FixPolicy/minimumDistance``.
    public static var tooNear: Reason { Reason(rawValue: "tooNear") }
    /// They have not moved away for ``FixPolicy/stillDuration``.
    public static var standingStill: Reason { Reason(rawValue: "standingStill") }
  }
}
