public import FieldFoundation

/// A place on a track, with the time at which somebody was there when the source has it.
public struct TrackPoint: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The place, as recorded.
  public var coordinate: Coordinate
  /// Metres above the reference of the source (for GPS mostly the ellipsoid or the geoid, which sources
  /// do not tell); nil when the source has none.
  public var elevation: Double?
  /// When somebody was there; nil when the source does not say.
  public var time: Date?
  /// The radius within which the real place lies, as the receiver estimates it; nil when unknown.
  public var accuracy: Distance?

  /// Makes a point.
  public init(
    coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil,
    accuracy: Distance? = nil
  ) {
    self.coordinate = coordinate
    self.elevation = elevation
    self.time = time
    self.accuracy = accuracy
  }

  /// The coordinate.
  public var description: String { coordinate.description }
}
