/// A circle on the ground: all locations within a geodesic distance of its center.
public struct GeoCircle: Hashable, Sendable, Codable {
  /// The center.
  public var center: Coordinate
  /// The radius, which is included.
  public var radius: Distance

  /// Creates a circle.
  public init(center: Coordinate, radius: Distance) {
    self.center = center
    self.radius = radius
  }
}
