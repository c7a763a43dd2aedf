public import FieldCore

extension GPXDocument {
  /// A place beside the tracks.
  public struct Waypoint: Sendable, Hashable, Codable {
    /// The place, with its elevation, time and accuracy.
    public var point: TrackPoint
    /// Its name.
    public var name: String?
    /// A text about it.
    public var description: String?
    /// The name of its symbol on a map.
    public var symbol: String?
    /// What it is (`type` in the file).
    public var kind: String?
    /// The address of more about it, as it was written.
    public var link: String?

    /// Makes a waypoint.
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
