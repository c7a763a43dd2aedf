public import FieldCore

/// An area and how far away it is.
public struct NearbyArea: Hashable, Sendable, Codable {
  /// The area.
  public var area: ZooArea
  /// The length of the shortest way to its point over the globe (WGS84); paths are longer.
  public var distance: Distance

  /// Makes a result.
  public init(area: ZooArea, distance: Distance) {
    self.area = area
    self.distance = distance
  }
}

extension NearbyArea: Identifiable {
  /// The area's id.
  public var id: ZooArea.ID { area.id }
}

extension NearbyArea: CustomStringConvertible {
  /// The area and its distance.
  public var description: String { "\(area), \(distance)" }
}
