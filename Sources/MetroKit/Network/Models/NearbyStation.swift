public import FieldCore

/// A station and the distance to the nearest of its stops.
public typealias NearbyStation = NearbyRecord<MetroStation>

extension NearbyStation {
  /// The station.
  public var station: MetroStation { record }
}
