/// A region between two parallels and two meridians, including its edges.
///
/// ```swift
/// let fiji = try GeoBox(south: -21, west: 176, north: -12, east: -178)
/// fiji.contains(try Coordinate(latitude: -17.5, longitude: 179.9))  // true
/// ```
///
/// A box extends from ``west`` eastward to ``east``. If west is greater than east, the box crosses
/// the antimeridian; boxes around ±180° need nothing else. A box that reaches a pole contains it at
/// any longitude, because all meridians meet there.
public struct GeoBox: Sendable, Hashable {
  /// The southern edge, in degrees, from -90 through 90.
  public let south: Double
  /// The western edge, in degrees, from -180 up to, but not including, 180.
  public let west: Double
  /// The northern edge, in degrees, not less than ``south``.
  public let north: Double
  /// The eastern edge, in degrees, from -180 through 180; 180 instead of -180 if that makes west ≤
  /// east.
  public let east: Double

  /// Creates a box.
  ///
  /// Longitudes may be from -180 through 360. If east is less than west, the box crosses the
  /// antimeridian; if it is 360 degrees or more above west, the box covers all longitudes.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput``, whose `problems` name
  ///   each value that is out of range, or the edges in the wrong order.
  public init(south: Double, west: Double, north: Double, east: Double) throws {
    let problems = Self.problems(south: south, west: west, north: north, east: east)
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "The box is invalid.", problems: problems)
    }
    self.init(knownSouth: south, west: west, north: north, east: east)
  }

  /// Creates a box from edges that are known to be in range.
  init(knownSouth south: Double, west: Double, north: Double, east: Double) {
    self.south = south + 0  // -0 + 0 is 0
    self.north = north + 0
    if east - west >= 360 {
      (self.west, self.east) = (-180, 180)
    } else {
      let start = west >= 180 ? west - 360 : west + 0
      let end = east > 180 ? east - 360 : east + 0
      self.west = start
      self.east = end == -180 && start > -180 ? 180 : end == 180 && start == -180 ? -180 : end
    }
  }

  /// The whole earth.
  public static var world: GeoBox {
    GeoBox(knownSouth: -90, west: -180, north: 90, east: 180)
  }

  static func problems(south: Double, west: Double, north: Double, east: Double) -> [String] {
    var problems =
      Coordinate.problems(latitude: south, longitude: west).map { "southwest corner: " + $0 }
      + Coordinate.problems(latitude: north, longitude: east).map { "northeast corner: " + $0 }
    if south > north { problems.append("south \(south) is north of north \(north)") }
    return problems
  }
}

extension GeoBox {
  /// A Boolean value that indicates whether the box crosses the antimeridian, the meridian of
  /// ±180°.
  public var crossesAntimeridian: Bool { west > east }

  /// The height in degrees of latitude, from 0 through 180.
  public var latitudeSpan: Double { north - south }

  /// The width in degrees of longitude, from 0 through 360.
  public var longitudeSpan: Double { crossesAntimeridian ? east - west + 360 : east - west }

  /// The center of the box in degrees.
  public var center: Coordinate {
    let longitude = west + longitudeSpan / 2
    return Coordinate(
      knownLatitude: min(max((south + north) / 2, -90), 90), longitude: longitude
    ).normalized
  }

  /// Returns a Boolean value that indicates whether the box contains a location, including its
  /// edges.
  public func contains(_ coordinate: Coordinate) -> Bool {
    let place = coordinate.normalized
    return contains(latitude: place.latitude, longitude: place.longitude)
  }

  /// Returns a Boolean value that indicates whether two boxes overlap, including their edges.
  public func intersects(_ other: GeoBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    if north == 90 && other.north == 90 || south == -90 && other.south == -90 { return true }
    // Of two arcs that meet, one contains the other's start.
    return contains(longitude: other.west) || other.contains(longitude: west)
  }

  /// Returns whether the box contains a location with a longitude in -180 ..< 180.
  func contains(latitude: Double, longitude: Double) -> Bool {
    guard south <= latitude, latitude <= north else { return false }
    return contains(longitude: longitude) || abs(latitude) == 90
  }

  private func contains(longitude: Double) -> Bool {
    if west > east { return longitude >= west || longitude <= east }
    return (west <= longitude && longitude <= east) || (east == 180 && longitude == -180)
  }
}

extension GeoBox: CustomStringConvertible {
  /// The edges from the southwest to the northeast, such as `-21.0, 176.0 to -12.0, -178.0`.
  public var description: String { "\(south), \(west) to \(north), \(east)" }
}

extension GeoBox: Codable {
  /// Creates a box from an object with `south`, `west`, `north`, and `east`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the edges aren't those of a box.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let south = try container.decode(Double.self, forKey: .south)
    let west = try container.decode(Double.self, forKey: .west)
    let north = try container.decode(Double.self, forKey: .north)
    let east = try container.decode(Double.self, forKey: .east)
    let problems = Self.problems(south: south, west: west, north: north, east: east)
    guard problems.isEmpty else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: problems.joined(separator: "; ")))
    }
    self.init(knownSouth: south, west: west, north: north, east: east)
  }
}

// MARK: - Fitting

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

/// A circle on the ground: all locations within a geodesic distance of its center.
public struct GeoCircle: Hashable, Sendable, Codable {
  /// The center.
  public var center: Coordinate
  /// The radius, which is included.
  public var radius: Distance

  /// Creates a circle.
  public init(center: Coordinate, radius: Distance) {
    self.center = center
    self.radius = radius
  }
}
