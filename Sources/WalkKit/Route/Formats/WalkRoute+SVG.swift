internal import FieldCore

extension WalkRoute {
  /// Returns the route as the data of an SVG `path`, north up, fitted to and centered in a
  /// rectangle.
  ///
  /// ```swift
  /// let svg = "<svg viewBox='0 0 400 300'><path d='\(route.svgPath(width: 400, height: 300))'/></svg>"
  /// ```
  ///
  /// Each segment is a separate line. A segment with a single point becomes a line of length zero,
  /// which round caps draw as a dot. Coordinates have one decimal place. The scales are those in
  /// the middle of the route, so that it keeps its shape. Returns an empty string if the route has
  /// no points or the rectangle has no area.
  ///
  /// - Parameters:
  ///   - width: The width of the rectangle, in units of the drawing.
  ///   - height: The height of the rectangle.
  ///   - margin: The margin on all sides. Defaults to 8.
  public func svgPath(width: Double, height: Double, margin: Double = 8) -> String {
    let room = (width: width - 2 * margin, height: height - 2 * margin)
    guard let bounds, room.width > 0, room.height > 0, room.width.isFinite, room.height.isFinite
    else { return "" }
    // How much shorter a degree of longitude is than one of latitude there, on the WGS 84
    // ellipsoid.
    let cosine = Angle.cosine(bounds.center.latitude * .pi / 180)
    let flattening = 1 + 0.006_739_496_742_28 * cosine * cosine
    let squeeze = max(cosine * flattening, 1e-6)
    let extent = (width: bounds.longitudeSpan * squeeze, height: bounds.latitudeSpan)
    let scale = min(
      extent.width > 0 ? room.width / extent.width : .infinity,
      extent.height > 0 ? room.height / extent.height : .infinity)
    // A single place is in the middle, at any scale.
    let factor = scale.isFinite ? scale : 0
    let left = (width - extent.width * factor) / 2
    let top = (height - extent.height * factor) / 2

    func place(_ point: TrackPoint) -> String {
      let coordinate = point.coordinate.normalized
      let east = coordinate.longitude - bounds.west
      let x = left + (east < 0 ? east + 360 : east) * squeeze * factor
      let y = top + (bounds.north - coordinate.latitude) * factor
      return "\((x * 10).rounded() / 10) \((y * 10).rounded() / 10)"
    }
    return segments.lazy.filter { !$0.isEmpty }.map { segment in
      let places = segment.map(place)
      // A move without a line draws nothing.
      return "M" + (places.count > 1 ? places : places + places).joined(separator: "L")
    }.joined()
  }
}
