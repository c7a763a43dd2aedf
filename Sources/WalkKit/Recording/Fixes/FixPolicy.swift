public import FieldCore

/// Which fixes make a route, each threshold a parameter.
///
/// The defaults are for a phone on a walk with a dog. Where trackers agree their figure is taken
/// (OpenTracks, GPSLogger, Organic Maps, FitoTrack, Open GPX Tracker, GPSBabel; see each property).
/// A fix is asked in this order, and the first answer stands: is it valid, is it recent, is it in order,
/// is it good enough, could somebody have got there, is it worth keeping.
public struct FixPolicy: Sendable, Hashable, Codable {
  /// How far from now the time of a fix may be, in either direction: 10 s, as in the old app.
  ///
  /// Receivers deliver an old position first, and a clock that is wrong makes the newest one old.
  public var maximumAge: Duration
  /// The largest radius of a fix that is used: 50 m, as in OpenTracks (GPSLogger has 40 m, Organic
  /// Maps 250 m).
  public var maximumAccuracy: Distance
  /// The fastest that anybody on the walk can be, in metres a second: 12.
  ///
  /// A dog jogs at 3 to 4 m/s and owners come along by bicycle, so a walker's cap of 2 m/s, as GPSBabel
  /// has for its walking profile, cuts real routes. Multipath errors between houses are leaps of 30 to
  /// 300 m in a second. A car in town is above the cap for most of its way.
  public var maximumSpeed: Double
  /// The shortest way from the last point that makes a new one: 1 m (Open GPX Tracker has 2 m).
  ///
  /// Below that, what a phone measures is noise.
  public var minimumDistance: Distance
  /// How long a fix may stay near one place before it is taken for standing still: 20 s.
  ///
  /// OpenTracks has 10 s, which its users found too short under trees (its issue 2135).
  public var stillDuration: Duration
  /// How near that is: 10 m, or the accuracy of the fix when that is more.
  public var stillRadius: Distance
  /// How long the receiver may be silent before the route starts a new segment: 60 s.
  ///
  /// What happened in the meantime is not known, so no line is drawn across it and no distance counted.
  /// OpenTracks calls the signal lost after 30 s; a phone that saves power delivers nothing while it
  /// lies still, for longer than that.
  public var signalGap: Duration

  /// Makes a policy.
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

  /// The defaults.
  public static var standard: FixPolicy { FixPolicy() }

  /// Takes every valid fix in order, whatever its age, accuracy and speed: for tracks that another
  /// program has filtered already.
  public static var permissive: FixPolicy {
    FixPolicy(
      maximumAge: .seconds(Int64.max), maximumAccuracy: .meters(.infinity), maximumSpeed: .infinity,
      minimumDistance: .zero, stillDuration: .seconds(Int64.max), stillRadius: .zero)
  }
}
