public import FieldFoundation

/// A location on a track, with the time of the recording if it is known.
public struct TrackPoint: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The location, as recorded.
  public var coordinate: Coordinate
  /// The elevation in meters above the source's reference; `nil` if the source has none.
  ///
  /// For GPS, the reference is usually the ellipsoid or the geoid; sources don't state which.
  public var elevation: Double?
  /// The time of the recording; `nil` if the source doesn't state it.
  public var time: Date?
  /// The radius of uncertainty, as estimated by the receiver; `nil` if unknown.
  public var accuracy: Distance?

  /// Creates a point.
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
