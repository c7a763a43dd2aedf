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
