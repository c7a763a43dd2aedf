public import FieldCore

/// A policy that determines which fixes make up a route.
///
/// The defaults suit a phone on a walk with a dog. Where trackers agree, they use the same value
/// (OpenTracks, GPSLogger, Organic Maps, FitoTrack, Open GPX Tracker, GPSBabel; see each property).
/// Checks run in this order, and the first failure decides: validity, age, order, accuracy,
/// plausible speed, and movement.
public struct FixPolicy: Sendable, Hashable, Codable {
  /// The maximum difference between the time of a fix and now, in either direction.
  ///
  /// Defaults to 10 seconds, as in the old app.
  ///
  /// Receivers deliver an old position first, and with a wrong clock the newest fix looks old.
  public var maximumAge: Duration
  /// The maximum radius of a usable fix.
  ///
  /// Defaults to 50 m, as in OpenTracks (GPSLogger uses 40 m, Organic Maps 250 m).
  public var maximumAccuracy: Distance
  /// The maximum speed, in meters per second.
  ///
  /// Defaults to 12.
  ///
  /// A dog jogs at 3 to 4 m/s, and owners come along by bicycle, so a walker's limit of 2 m/s, as
  /// in GPSBabel's walking profile, cuts real routes. Multipath errors between buildings cause
  /// jumps of 30 to 300 m in a second. A car in town exceeds the limit for most of its way.
  public var maximumSpeed: Double
  /// The minimum distance between points.
  ///
  /// Defaults to 1 m (Open GPX Tracker uses 2 m).
  ///
  /// Below that, a phone measures only noise. If the last fixes scatter, the distance is larger: a
  /// multiple of their noise, from which legs add up to the distance that was walked. With zero, noisy
  /// fixes are on the route, too.
  public var minimumDistance: Distance
  /// The time after which a fix near the same place counts as standing still.
  ///
  /// Defaults to 20 seconds.
  ///
  /// OpenTracks uses 10 s, which its users found too short under trees (its issue 2135).
  /// If noise makes the place larger than ``stillRadius``, the time is longer: a slow walk has to cross
  /// the place first.
  public var stillDuration: Duration
  /// The smallest radius of standing still; the accuracy of the fix, or five times the spread of the
  /// fixes at the place (at most 40 m) if that is larger.
  ///
  /// Defaults to 10 m.
  public var stillRadius: Distance
  /// The time without fixes after which the route starts a new segment.
  ///
  /// Defaults to 60 seconds.
  ///
  /// The path during that time is unknown, so no line is drawn and no distance is counted.
  /// OpenTracks considers the signal lost after 30 s, but a phone that saves power delivers nothing
  /// for longer than that while it lies still.
  public var signalGap: Duration

  /// Creates a policy.
  public init(
    maximumAge: Duration = .seconds(10), maximumAccuracy: Distance = .meters(50),
    maximumSpeed: Double = 12, minimumDistance: Distance = .meters(1),
    stillDuration: Duration = .seconds(20), stillRadius: Distance = .meters(10),
    signalGap: Duration = .seconds(60)
  ) {
    self.maximumAge = maximumAge
    self.maximumAccuracy = maximumAccuracy
    self.maximumSpeed = maximumSpeed
    self.minimumDistance = minimumDistance
    self.stillDuration = stillDuration
    self.stillRadius = stillRadius
    self.signalGap = signalGap
  }

  /// The default policy.
  public static var standard: FixPolicy { FixPolicy() }

  /// A policy that accepts every valid fix in order, whatever its age, accuracy, and speed.
  ///
  /// Use it for tracks that another program has already filtered.
  public static var permissive: FixPolicy {
    FixPolicy(
      maximumAge: .seconds(Int64.max), maximumAccuracy: .meters(.infinity), maximumSpeed: .infinity,
      minimumDistance: .zero, stillDuration: .seconds(Int64.max), stillRadius: .zero)
  }

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
    /// The fix is closer to the last point than ``FixPolicy/minimumDistance``, or than the noise of
    /// the last fixes explains.
    public static var tooNear: Reason { Reason(rawValue: "tooNear") }
    /// The user hasn't moved away for ``FixPolicy/stillDuration``.
    public static var standingStill: Reason { Reason(rawValue: "standingStill") }
  }
}
