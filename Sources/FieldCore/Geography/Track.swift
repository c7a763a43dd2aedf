public import FieldFoundation

/// A recorded track: one or more segments of points, with gaps between them.
///
/// No line is drawn and no distance is counted between the end of one segment and the start of the
/// next.
public struct Track: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name in the source; `nil` if it has none.
  public var name: String?
  /// The points in the order of the source, in one array per segment.
  public var segments: [[TrackPoint]]
  /// The texts about the track in other schemas.
  public var extensions: [Extension]

  /// Creates a track.
  public init(name: String? = nil, segments: [[TrackPoint]], extensions: [Extension] = []) {
    self.name = name
    self.segments = segments
    self.extensions = extensions
  }

  /// The total number of points in all segments.
  public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// The name and the number of points.
  public var description: String { "\(name ?? "track"): \(pointCount) points".printable }
}

extension Track {
  /// A text that another schema adds to a track, such as the weather of a walk in a GPX file.
  public struct Extension: Sendable, Hashable, Codable {
    /// The name of the element, without its prefix.
    public var name: String
    /// The namespace of the element; empty if it has none.
    public var namespace: String
    /// The text of the element, without white space around it.
    public var text: String
    /// The index of the segment that the text belongs to; `nil` if it belongs to the whole track.
    public var segment: Int?

    /// Creates a text from the element that contains it.
    public init(_ name: String, namespace: String, text: String, segment: Int? = nil) {
      self.name = name
      self.namespace = namespace
      self.text = text
      self.segment = segment
    }
  }
}

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
