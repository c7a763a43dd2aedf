/// A track: one or more runs of points, between which nothing was recorded.
///
/// No line is drawn and no distance counted between the end of one segment and the start of the next.
public struct Track: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name that the source gives it; nil when it gives none.
  public var name: String?
  /// The points in the order of the source, one array a segment.
  public var segments: [[TrackPoint]]
  /// What the source says about the track in the words of another schema.
  public var extensions: [Extension]

  /// Makes a track.
  public init(name: String? = nil, segments: [[TrackPoint]], extensions: [Extension] = []) {
    self.name = name
    self.segments = segments
    self.extensions = extensions
  }

  /// How many points all segments have together.
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
