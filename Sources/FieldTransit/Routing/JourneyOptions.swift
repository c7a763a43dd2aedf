public import FieldCore

/// A place at which a journey begins or ends.
public enum JourneyPlace: Sendable, Hashable {
  /// A stop, or a station with all its platforms, by its ID.
  case stop(String)
  /// A location, from which one walks to stops nearby.
  case coordinate(Coordinate)
}

/// Options that limit journeys.
public struct JourneyOptions: Sendable, Hashable {
  /// The maximum number of changes, from 0 through 15.
  ///
  /// Defaults to 7.
  public var maximumTransfers = 7
  /// The longest journey, in minutes, from the time of the query on.
  ///
  /// Defaults to a day.
  public var maximumMinutes = 1440
  /// The kinds of vehicles that journeys mustn't use.
  public var avoidedModes: Set<TransitMode> = []
  /// A Boolean value that indicates whether journeys use only vehicles and stops that the feed calls accessible.
  ///
  /// A stop about which it says nothing counts as accessible, and a trip doesn't.
  public var isWheelchairAccessible = false
  /// The stop or station at which journeys change, by its ID.
  public var via: String?
  /// The longest walk from or to a coordinate, in a straight line.
  ///
  /// Defaults to 800 meters.
  public var maximumWalk = Distance.meters(800)
  /// The speed of walks from and to a coordinate along a straight line, in meters per minute.
  ///
  /// Defaults to 60, which allows for detours.
  public var walkingSpeed = 60.0

  /// Creates options.
  public init() {}
}

/// The journeys that a query found, or the reason why there is none.
public struct JourneyAnswer: Sendable {
  /// The reason why there is no journey.
  public enum Absence: Sendable, Hashable {
    /// The timetable's service has ended before the day of the query.
    case expired(CalendarDay)
    /// The timetable's service begins after the day of the query.
    case notYetValid(CalendarDay)
    /// No trip of the days around the query stops at the place where the journey begins, or can be boarded there.
    case notServedAtOrigin
    /// No trip of the days around the query stops at the destination, or allows alighting there.
    case notServedAtDestination
    /// Trips stop at both places, but no journey is within the limits of the query.
    case nothingWithinLimits
  }

  /// The journeys, those with the fewest changes first.
  ///
  /// None is both later and has as many changes as another.
  public let journeys: [Journey]
  /// The reason why there is no journey; `nil` if there is one.
  public let absence: Absence?
}

/// The direction in which a search looks at time.
///
/// A search backward is one forward in which all times are negative, patterns are visited from their ends, arrivals are
/// departures, and walks are reversed. The compiler specializes the search for each direction, and for ranges.
protocol SearchDirection {
  static var isForward: Bool { get }
  /// A Boolean value that indicates whether the search is for a range of departures.
  static var isRange: Bool { get }
}

enum Forward: SearchDirection {
  @inline(__always)
  static var isForward: Bool { true }
  @inline(__always)
  static var isRange: Bool { false }
}

enum Backward: SearchDirection {
  @inline(__always)
  static var isForward: Bool { false }
  @inline(__always)
  static var isRange: Bool { false }
}

enum ForwardRange: SearchDirection {
  @inline(__always)
  static var isForward: Bool { true }
  @inline(__always)
  static var isRange: Bool { true }
}
