public import FieldCore

extension Meteorite {
  /// What a map shows for one meteorite: a pin, and the part of the world around it.
  public struct MapPin: Identifiable, Hashable, Sendable, Codable {
    /// The meteorite's ID.
    public var id: ID
    /// Where the pin is.
    public var coordinate: Coordinate
    /// The meteorite's name.
    public var title: String
    /// The meteorite's class.
    public var subtitle: String
    /// The part of the world to show.
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

  /// The pin and its region; nil when there is no plausible position.
  ///
  /// - Parameter spanDegrees: The height and width of the region; 10° unless told otherwise.
  public func mapPin(spanDegrees: Double = 10) throws -> MapPin? {
    guard hasPlausiblePosition, let coordinate else { return nil }
    return MapPin(
      id: id, coordinate: coordinate,
      title: MeteoriteTexts.name(of: self).string(),
      subtitle: classification.name,
      region: try GeoBox(
        center: coordinate, latitudeSpan: spanDegrees, longitudeSpan: spanDegrees))
  }
}
