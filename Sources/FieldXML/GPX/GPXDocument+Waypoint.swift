public import FieldCore

extension GPXDocument {
  /// A place in addition to the tracks.
  public struct Waypoint: Sendable, Hashable, Codable {
    /// The location, with its elevation, time, and accuracy.
    public var point: TrackPoint
    /// The name.
    public var name: String?
    /// The description.
    public var description: String?
    /// The name of the symbol on a map.
    public var symbol: String?
    /// The kind of place (`type` in the file).
    public var kind: String?
    /// A link to more information, as written.
    public var link: String?

    /// Creates a waypoint.
    public init(
      point: TrackPoint, name: String? = nil, description: String? = nil, symbol: String? = nil,
      kind: String? = nil, link: String? = nil
    ) {
      self.point = point
      self.name = name
      self.description = description
      self.symbol = symbol
      self.kind = kind
      self.link = link
    }
  }
}
