public import FieldCore

/// An air quality station, under its name in AirKorea.
public struct AirStation: Sendable, Hashable, Codable, Identifiable {
  /// The name, such as `종로구`.
  public var name: String
  /// The location of the station.
  public var coordinate: Coordinate

  /// Creates a station.
  public init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
  }

  /// The name of the station.
  public var id: String { name }
}
