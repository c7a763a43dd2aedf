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
