public import FieldCore

extension MetroStation {
  /// An exit of a station.
  public struct Exit: Hashable, Sendable, Codable, Identifiable {
    /// The number on the signs, such as `1`, `2A`, or `M3`; `nil` if the exit has none.
    public var number: String?
    /// The location where the exit reaches the surface.
    public var coordinate: Coordinate

    /// Creates an exit.
    public init(number: String?, coordinate: Coordinate) {
      self.number = number
      self.coordinate = coordinate
    }

    /// The location, which is unique for each exit of a station.
    public var id: Coordinate { coordinate }
  }
}
