/// A way through the network from one station to another.
///
/// ```swift
/// let route = try MetroNetwork.taipei.route(from: "迴龍", to: "蘆洲")
/// print(route.transfers, route.duration)          // 1, at 大橋頭
/// for leg in route.legs { print(leg.line as Any, leg.headings, leg.stations.count) }
/// ```
public struct MetroRoute: Hashable, Sendable, Codable {
  /// The stations on the way, both ends among them; each once.
  public var stations: [MetroStation]
  /// The rides and walks that make up the way; none when both ends are one station.
  public var legs: [Leg]
  /// How often one changes: between two trains, or between two stations in the street. A change of
  /// trains on one line, as from one branch to another, counts.
  public var transfers: Int
  /// How long the rides take, in seconds: the source's times to run, and to stand at stops on the way.
  public var rideSeconds: Int
  /// How long the changes take, in seconds, as ``Options`` have it.
  public var changeSeconds: Int

  /// Makes a route.
  public init(
    stations: [MetroStation], legs: [Leg], transfers: Int, rideSeconds: Int, changeSeconds: Int
  ) {
    self.stations = stations
    self.legs = legs
    self.transfers = transfers
    self.rideSeconds = rideSeconds
    self.changeSeconds = changeSeconds
  }

  /// How long the way takes from the departure of the first train, without waiting for it.
  public var duration: Duration { .seconds(rideSeconds + changeSeconds) }

  /// How sure ``duration`` is.
  public var certainty: Certainty {
    if legs.contains(where: { $0.line == nil }) { return .unconfirmedWalk }
    return transfers > 0 ? .estimatedTransfers : .published
  }
}

extension MetroRoute: CustomStringConvertible {
  /// The legs, such as `BL 府中 > 台北車站, R 台北車站 > 淡水`.
  public var description: String { legs.map(\.description).joined(separator: ", ") }
}
