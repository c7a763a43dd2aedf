public import FieldCore

extension WalkRoute {
  /// A route without what lies within a distance of a place, such as the home that nobody else should
  /// learn of.
  ///
  /// All points within the radius go, at the start, at the end and on the way. Where some are missing a
  /// new segment begins, so that no line is drawn across the gap, which would point to the place.
  /// Distances between what is left are shorter by as much; figures of the whole route stay with the
  /// ``Walk``.
  ///
  /// - Parameters:
  ///   - center: the place to hide. A circle around the place itself can be guessed from where several
  ///     routes begin; a place beside it cannot.
  ///   - radius: points at this distance or nearer are left out.
  public func clipped(around center: Coordinate, radius: Distance) -> WalkRoute {
    var parts: [[TrackPoint]] = []
    for segment in segments {
      parts += segment.split { $0.coordinate.distance(to: center) <= radius }.map(Array.init)
    }
    return WalkRoute(segments: parts)
  }

  /// The segments as encoded polylines, for maps and routing services: one each, and the empty text for
  /// an empty segment.
  public func polylines(precision: EncodedPolyline.Precision = .five) -> [EncodedPolyline] {
    segments.map { EncodedPolyline($0.lazy.map(\.coordinate), precision: precision) }
  }
}
