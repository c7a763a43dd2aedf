public import FieldCore

/// A station that measures the air, by the name that AirKorea knows it by.
public struct AirStation: Sendable, Hashable, Codable {
  /// The name, such as `종로구`.
  public var name: String
  /// Where the station is.
  public var coordinate: Coordinate

  /// Makes a station.
  public init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
  }
}

extension AirStation: Identifiable {
  /// The name of the station.
  public var id: String { name }
}
