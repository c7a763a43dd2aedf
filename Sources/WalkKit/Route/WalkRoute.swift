public import FieldCore

/// The route of a walk: one or more segments of points, between which nothing was recorded.
///
/// ```swift
/// let route = try await field.walks.route(of: walk.id)
/// try route.gpx(name: "Morning").write(to: file)
/// let figures = route.figures()
/// ```
///
/// No line is drawn and no distance is counted between the end of one segment and the start of the
/// next. The points are as the source provided them, including doubtful ones; use ``review(_:)`` to
/// find those.
public struct WalkRoute: Sendable, Hashable, CustomStringConvertible {
  /// The points in the order in which they were recorded, with one array for each segment.
  public var segments: [[TrackPoint]]

  /// Creates a route from segments.
  public init(segments: [[TrackPoint]] = []) { self.segments = segments }

  /// Creates a route from a track, including its empty segments.
  public init(track: Track) { segments = track.segments }

  /// Creates a route from all segments of several tracks, because one walk may be split into
  /// tracks.
  public init(tracks: some Sequence<Track>) { segments = tracks.flatMap(\.segments) }

  /// The number of points in all segments.
  public var pointCount: Int { segments.reduce(0) { $0 + $1.count } }

  /// A Boolean value that indicates whether no segment contains a point.
  public var isEmpty: Bool { segments.allSatisfy(\.isEmpty) }

  /// The first point, or `nil` if there is none.
  public var start: TrackPoint? { segments.first { !$0.isEmpty }?.first }

  /// The last point, or `nil` if there is none.
  public var end: TrackPoint? { segments.last { !$0.isEmpty }?.last }

  /// The smallest box that contains all points, or `nil` if there are none.
  ///
  /// The box crosses the antimeridian if it is smaller that way.
  public var bounds: GeoBox? { GeoBox(enclosing: segments.joined().lazy.map(\.coordinate)) }

  /// The length of all legs inside segments, on the ellipsoid at sea level, calculated on each
  /// access.
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

  /// Returns the statistics of the route, as a ``TrackMeter`` calculates them during a walk.
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

  /// Returns the route without the points near a place, such as the owner's home.
  ///
  /// All points within the radius are removed, at the start, at the end, and on the way. A new
  /// segment begins where points are missing, so that no line crosses the gap and points to the
  /// place. The distance of the remaining route is shorter accordingly; the statistics of the whole
  /// route are in the ``Walk``.
  ///
  /// - Parameters:
  ///   - center: The place to hide. If it is the exact place, the starts of several routes reveal
  ///     it as the center of a circle; a place beside it avoids that.
  ///   - radius: The distance up to which points are removed.
  public func clipped(around center: Coordinate, radius: Distance) -> WalkRoute {
    WalkRoute(
      segments: segments.flatMap { segment in
        segment.split { $0.coordinate.distance(to: center) <= radius }.map(Array.init)
      })
  }

  /// Returns the segments as encoded polylines for maps and routing services, one for each segment.
  ///
  /// An empty segment becomes an empty text.
  public func polylines(precision: EncodedPolyline.Precision = .five) -> [EncodedPolyline] {
    segments.map { EncodedPolyline($0.lazy.map(\.coordinate), precision: precision) }
  }
}
