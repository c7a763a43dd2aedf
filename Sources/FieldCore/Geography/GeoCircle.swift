/// A circle on the ground: all places within a distance of its middle, measured along the geodesic.
public struct GeoCircle: Hashable, Sendable, Codable {
  /// The middle.
  public var center: Coordinate
  /// The radius, itself included.
  public var radius: Distance

  /// Makes a circle.
  public init(center: Coordinate, radius: Distance) {
    self.center = center
    self.radius = radius
  }
}
