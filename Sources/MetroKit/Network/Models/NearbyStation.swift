public import FieldCore

/// A station and how far away it is.
public struct NearbyStation: Hashable, Sendable, Codable {
  /// The station.
  public var station: MetroStation
  /// The length of the shortest way over the globe (WGS84) to the nearest of its stops.
  public var distance: Distance

  /// Makes a pair.
  public init(station: MetroStation, distance: Distance) {
    self.station = station
    self.distance = distance
  }
}

extension NearbyStation: Identifiable {
  /// The station's id.
  public var id: MetroStation.ID { station.id }
}

extension NearbyStation: CustomStringConvertible {
  /// The station and its distance.
  public var description: String { "\(station), \(distance)" }
}
