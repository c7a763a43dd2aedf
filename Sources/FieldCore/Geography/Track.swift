/// A track: one or more runs of points, between which nothing was recorded.
///
/// No line is drawn and no distance counted between the end of one segment and the start of the next.
public struct Track: Sendable, Hashable {
  /// The name that the source gives it; nil when it gives none.
  public var name: String?
  /// The points in the order of the source, one array a segment.
  public var segments: [[TrackPoint]]

  /// Makes a track.
  public init(name: String? = nil, segments: [[TrackPoint]]) {
    self.name = name
    self.segments = segments
  }

  /// How many points all segments have together.
  public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }
}
