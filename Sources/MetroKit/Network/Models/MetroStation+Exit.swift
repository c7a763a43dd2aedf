public import FieldCore

extension MetroStation {
  /// A way out of a station.
  public struct Exit: Hashable, Sendable, Codable {
    /// The number on the signs, such as `1`, `2A` or `M3`; nil when the exit has none.
    public var number: String?
    /// Where it comes to the surface.
    public var coordinate: Coordinate

    /// Makes an exit.
    public init(number: String?, coordinate: Coordinate) {
      self.number = number
      self.coordinate = coordinate
    }
  }
}

extension MetroStation.Exit: Identifiable {
  /// The place, which differs for each exit of a station.
  public var id: Coordinate { coordinate }
}
