extension GeoBox {
  /// Makes the box around a place, such as what a map shows of so many degrees.
  ///
  /// Latitudes end at the poles: what would lie beyond is cut off, not moved to the other side. A
  /// span of 360 degrees of longitude or more is all longitudes.
  ///
  /// - Parameters:
  ///   - center: the middle.
  ///   - latitudeSpan: the height in degrees.
  ///   - longitudeSpan: the width in degrees.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` when a span is negative
  ///   or not finite.
  public init(center: Coordinate, latitudeSpan: Double, longitudeSpan: Double) throws {
    var problems: [String] = []
    for (name, span) in [("latitude", latitudeSpan), ("longitude", longitudeSpan)]
    where !(span >= 0 && span.isFinite) {
      problems.append("the \(name) span \(span) is not a size")
    }
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "this is no box", problems: problems)
    }
    let south = max(center.latitude - latitudeSpan / 2, -90)
    let north = min(center.latitude + latitudeSpan / 2, 90)
    let longitude = center.normalized.longitude
    let half = min(longitudeSpan, 360) / 2
    let west = longitude - half < -180 ? longitude - half + 360 : longitude - half
    let east = longitude + half >= 180 ? longitude + half - 360 : longitude + half
    // Just below 360 degrees the edges may round to one meridian: that is all of them, not one.
    let isWhole = half == 180 || (half > 90 && (west == east || east - west == 360))
    self.init(
      knownSouth: south, west: isWhole ? -180 : west, north: north, east: isWhole ? 180 : east)
  }

  /// Makes the smallest box with all of the places in it, or nil when there are none.
  ///
  /// It leaves out the widest stretch of longitudes in which there is no place, so that places on
  /// both sides of the antimeridian get a narrow box across it. A pole fits at every longitude.
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
    // The gap across the antimeridian comes first: of equal gaps it is the one to leave out.
    var (west, east) = (first, last)
    var widest = first - last + 360
    for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > widest {
      (west, east, widest) = (right, left, right - left)
    }
    self.init(knownSouth: south, west: west, north: north, east: east)
  }
}
