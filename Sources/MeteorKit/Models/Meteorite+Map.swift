public import FieldCore

extension Meteorite {
  /// A map pin for one meteorite, and the region around it.
  public struct MapPin: Identifiable, Hashable, Sendable, Codable {
    /// The meteorite's ID.
    public var id: ID
    /// The location of the pin.
    public var coordinate: Coordinate
    /// The meteorite's name.
    public var title: String
    /// The meteorite's class.
    public var subtitle: String
    /// The region to show.
    public var region: GeoBox

    /// Creates a pin.
    public init(id: ID, coordinate: Coordinate, title: String, subtitle: String, region: GeoBox) {
      self.id = id
      self.coordinate = coordinate
      self.title = title
      self.subtitle = subtitle
      self.region = region
    }
  }

  /// Returns a map pin and its region, or `nil` if the meteorite has no plausible position.
  ///
  /// - Parameter spanDegrees: The height and width of the region, in degrees. Defaults to 10.
  public func mapPin(spanDegrees: Double = 10) throws -> MapPin? {
    guard hasPlausiblePosition, let coordinate else { return nil }
    return MapPin(
      id: id, coordinate: coordinate,
      title: MeteoriteTexts.name(of: self).string(),
      subtitle: classification.name,
      region: try GeoBox(center: coordinate, latitudeSpan: spanDegrees, longitudeSpan: spanDegrees))
  }
}
