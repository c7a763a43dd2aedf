public import FieldCore

extension WalkRoute {
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
    var parts: [[TrackPoint]] = []
    for segment in segments {
      parts += segment.split { $0.coordinate.distance(to: center) <= radius }.map(Array.init)
    }
    return WalkRoute(segments: parts)
  }

  /// Returns the segments as encoded polylines for maps and routing services, one for each segment.
  ///
  /// An empty segment becomes an empty text.
  public func polylines(precision: EncodedPolyline.Precision = .five) -> [EncodedPolyline] {
    segments.map { EncodedPolyline($0.lazy.map(\.coordinate), precision: precision) }
  }
}
