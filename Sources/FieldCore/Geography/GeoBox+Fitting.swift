extension GeoBox {
  /// Creates a box around a location, such as the region that a map shows.
  ///
  /// Latitudes beyond the poles are cut off, not moved to the other side. A longitude span of 360
  /// degrees or more covers all longitudes.
  ///
  /// - Parameters:
  ///   - center: The center of the box.
  ///   - latitudeSpan: The height, in degrees.
  ///   - longitudeSpan: The width, in degrees.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if a span is negative
  ///   or isn't finite.
  public init(center: Coordinate, latitudeSpan: Double, longitudeSpan: Double) throws {
    var problems: [String] = []
    for (name, span) in [("latitude", latitudeSpan), ("longitude", longitudeSpan)]
    where !(span >= 0 && span.isFinite) {
      problems.append("the \(name) span \(span) isn't a size")
    }
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "The box is invalid.", problems: problems)
    }
    let south = max(center.latitude - latitudeSpan / 2, -90)
    let north = min(center.latitude + latitudeSpan / 2, 90)
    let longitude = center.normalized.longitude
    let half = min(longitudeSpan, 360) / 2
    let west = longitude - half < -180 ? longitude - half + 360 : longitude - half
    let east = longitude + half >= 180 ? longitude + half - 360 : longitude + half
    // Just below 360 degrees, the edges may round to one meridian, which means all of them.
    let isWhole = half == 180 || (half > 90 && (west == east || east - west == 360))
    self.init(
      knownSouth: south, west: isWhole ? -180 : west, north: north, east: isWhole ? 180 : east)
  }

  /// Creates the smallest box that contains all locations, or `nil` if there are none.
  ///
  /// The box excludes the widest range of longitudes without a location, so locations on both sides
  /// of the antimeridian result in a narrow box across it. A pole fits at every longitude.
  public init?(enclosing coordinates: some Sequence<Coordinate>) {
    var (south, north) = (Double.infinity, -Double.infinity)
    var longitudes: [Double] = []
    for coordinate in coordinates {
      south = min(south, coordinate.latitude)
      north = max(north, coordinate.latitude)
      if abs(coordinate.latitude) < 90 { longitudes.append(coordinate.normalized.longitude) }
    }
    guard south <= north else { return nil }
    longitudes.sort()
    guard let first = longitudes.first, let last = longitudes.last else {
      self.init(knownSouth: south, west: 0, north: north, east: 0)
      return
    }
    // The gap across the antimeridian comes first, so that it is the one to exclude among equal
    // gaps.
    var (west, east) = (first, last)
    var widest = first - last + 360
    for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > widest {
      (west, east, widest) = (right, left, right - left)
    }
    self.init(knownSouth: south, west: west, north: north, east: east)
  }
}
