public import FieldCore

/// The way of a walk: one or more runs of points, between which nothing was recorded.
///
/// ```swift
/// let route = try await field.walks.route(of: walk.id)
/// try route.gpx(name: "Morning").write(to: file)
/// let figures = route.figures()
/// ```
///
/// No line is drawn and no distance counted from the end of one segment to the start of the next. The
/// points are as their source had them, odd ones among them: ``review(_:)`` tells which.
public struct WalkRoute: Sendable, Hashable, CustomStringConvertible {
  /// The points in the order in which they were recorded, one array a segment.
  public var segments: [[TrackPoint]]

  /// Makes a route.
  public init(segments: [[TrackPoint]] = []) { self.segments = segments }

  /// Makes a route of a track, its empty segments included.
  public init(track: Track) { segments = track.segments }

  /// Makes a route of all segments of several tracks, in order, as one file often has one walk.
  public init(tracks: some Sequence<Track>) { segments = tracks.flatMap(\.segments) }

  /// How many points all segments have together.
  public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// Whether no segment has a point.
  public var isEmpty: Bool { segments.allSatisfy(\.isEmpty) }

  /// The first point; nil when there is none.
  public var start: TrackPoint? { segments.first { !$0.isEmpty }?.first }

  /// The last point; nil when there is none.
  public var end: TrackPoint? { segments.last { !$0.isEmpty }?.last }

  /// The smallest box with all points in it, across the antimeridian when that is smaller; nil when there
  /// are none.
  public var bounds: GeoBox? { GeoBox(enclosing: segments.joined().lazy.map(\.coordinate)) }

  /// The length of all legs inside segments, on the ellipsoid at sea level. It is measured at each call.
  public var distance: Distance {
    var meters = 0.0
    for segment in segments {
      var last: GeodesicPoint?
      for point in segment {
        let place = GeodesicPoint(point.coordinate)
        if let last { meters += Geodesic.meters(from: last, to: place) }
        last = place
      }
    }
    return .meters(meters)
  }

  /// Measures the route, as a ``TrackMeter`` would have on the way.
  public func figures(_ options: TrackMeter.Options = TrackMeter.Options()) -> TrackFigures {
    var meter = TrackMeter(options: options)
    for segment in segments {
      for point in segment { meter.add(point) }
      meter.breakSegment()
    }
    return meter.figures
  }

  /// The numbers of points and segments.
  public var description: String { "\(pointCount) points in \(segments.count) segments" }
}
