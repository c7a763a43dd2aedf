internal import FieldCore

/// A route through the network from one station to another.
///
/// ```swift
/// let route = try MetroNetwork.taipei.route(from: "迴龍", to: "蘆洲")
/// print(route.transfers, route.duration)          // 1, at 大橋頭
/// for leg in route.legs { print(leg.line as Any, leg.headings, leg.stations.count) }
/// ```
public struct MetroRoute: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The stations on the route, including both ends, each once.
  public var stations: [MetroStation]
  /// The rides and walks that make up the route; empty if both ends are the same station.
  public var legs: [Leg]
  /// The number of changes between two trains, or between two stations along the street.
  ///
  /// Changes between trains of the same line, as from one branch to another, count.
  public var transfers: Int
  /// The duration of the rides, in seconds: the source's running and dwell times.
  public var rideSeconds: Int
  /// The duration of the changes, in seconds, according to ``Options``.
  public var changeSeconds: Int

  /// Creates a route.
  public init(
    stations: [MetroStation], legs: [Leg], transfers: Int, rideSeconds: Int, changeSeconds: Int
  ) {
    self.stations = stations
    self.legs = legs
    self.transfers = transfers
    self.rideSeconds = rideSeconds
    self.changeSeconds = changeSeconds
  }

  /// The duration from the departure of the first train, without waiting for it.
  public var duration: Duration { .seconds(rideSeconds + changeSeconds) }

  /// The certainty of ``duration``.
  public var certainty: Certainty {
    if legs.contains(where: { $0.line == nil }) { return .unconfirmedWalk }
    return transfers > 0 ? .estimatedTransfers : .published
  }

  /// A description of the legs, such as `BL 府中 > 台北車站, R 台北車站 > 淡水`.
  public var description: String { legs.map(\.description).joined(separator: ", ") }
}

extension MetroRoute {
  /// The certainty of a route's duration.
  public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
    /// The whole duration comes from the source: one ride, or none.
    case published
    /// The rides come from the source, but the time for changing trains is assumed.
    case estimatedTransfers
    /// A part of the route is a walk along the street between two stations, which no source
    /// confirms and whose time is assumed.
    case unconfirmedWalk
  }
}

// MARK: - Leg

extension MetroRoute {
  /// A part of a route without a change: a ride on one train, or a walk along the street.
  public struct Leg: Hashable, Sendable, Codable, Identifiable, CustomStringConvertible {
    /// The line of the ride; `nil` for a walk between two stations.
    public var line: MetroLine.ID?
    /// The stations of the leg, including both ends.
    public var stations: [MetroStation.ID]
    /// The destinations of the trains that serve the leg; empty for a walk.
    ///
    /// These are the ends of all the line's patterns that stop at both ends of the leg, that of the
    /// longest pattern first. From 台北車站 to 府中, you can take trains for 頂埔 and for 亞東醫院; to 永寧, only
    /// the former. Some patterns run only at certain hours or on certain days; the first one always
    /// does.
    public var headings: [MetroStation.ID]
    /// The duration of the leg, in seconds.
    public var seconds: Int

    /// Creates a leg.
    public init(
      line: MetroLine.ID?, stations: [MetroStation.ID], headings: [MetroStation.ID], seconds: Int
    ) {
      self.line = line
      self.stations = stations
      self.headings = headings
      self.seconds = seconds
    }

    /// The first station of the leg.
    public var from: MetroStation.ID { stations.first ?? MetroStation.ID(rawValue: "") }

    /// The last station of the leg.
    public var to: MetroStation.ID { stations.last ?? MetroStation.ID(rawValue: "") }

    /// The duration of the leg.
    public var duration: Duration { .seconds(seconds) }

    /// The first station of the leg, which is unique for each leg of a route.
    public var id: MetroStation.ID { from }

    /// A description with the line, or `walk`, and both ends, such as `BL 台北車站 > 府中`.
    public var description: String { "\(line?.rawValue ?? "walk") \(from) > \(to)".printable }
  }
}

// MARK: - Options

extension MetroRoute {
  /// The assumptions of a route for times that the source doesn't give.
  ///
  /// TDX publishes how long trains run and dwell, but not how long a change takes, so these are
  /// assumptions that you can replace with better ones.
  public struct Options: Hashable, Sendable, Codable {
    /// The time for changing trains at a station, in seconds.
    ///
    /// Defaults to 300: two minutes to walk to the other platform, and three to wait, which is half
    /// of the interval between two trains for most of the day (4 to 8 minutes, according to TDX's
    /// `Frequency`).
    public var transferSeconds: Int
    /// The time for changing between two stations along the street, in seconds and including the
    /// wait; `nil` excludes such changes.
    ///
    /// Defaults to 480: 新埔 and 新埔民生 are 320 m apart.
    public var walkSeconds: Int?

    /// Creates options.
    public init(transferSeconds: Int = 300, walkSeconds: Int? = 480) {
      self.transferSeconds = transferSeconds
      self.walkSeconds = walkSeconds
    }

    func check(longestStand: Int) throws(FieldError) {
      var problems: [String] = []
      // If a change took less time than the train dwells, getting off and on again would pay.
      if !(longestStand...86_400).contains(transferSeconds) {
        problems.append(
          "transferSeconds \(transferSeconds) isn't between \(longestStand) and 86400")
      }
      if let walkSeconds, !(0...86_400).contains(walkSeconds) {
        problems.append("walkSeconds \(walkSeconds) isn't between 0 and 86400")
      }
      guard problems.isEmpty else {
        throw FieldError(.invalidInput, "The route options are invalid.", problems: problems)
      }
    }
  }
}

/// The preference for one route over another.
public enum RoutePreference: String, Hashable, Sendable, Codable, CaseIterable {
  /// The shortest time; if the times are equal, the fewest transfers.
  case fewestMinutes
  /// The fewest transfers; if those are equal, the shortest time.
  case fewestTransfers
}
