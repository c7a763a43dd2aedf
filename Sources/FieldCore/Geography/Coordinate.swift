/// A location on the earth: latitude and longitude on WGS84, in degrees.
///
/// ```swift
/// let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
/// ```
///
/// A coordinate is always valid: its values are finite, its latitude is from -90 through 90, and
/// its longitude from -180 through 360. Because sources count longitudes in both ways, the
/// longitude is kept as given, and two coordinates are equal if their numbers are. ``normalized``
/// has one form for each longitude.
public struct Coordinate: Sendable, Hashable {
  /// The latitude in degrees north of the equator, from -90 through 90.
  public let latitude: Double
  /// The longitude in degrees east of Greenwich as given, from -180 through 360.
  public let longitude: Double

  /// Creates a coordinate.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput``, whose `problems` name
  ///   each value that is out of range or isn't finite.
  public init(latitude: Double, longitude: Double) throws {
    guard let valid = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw FieldError(
        .invalidInput, "The coordinate is invalid.",
        problems: Self.problems(latitude: latitude, longitude: longitude))
    }
    self = valid
  }

  /// Creates a coordinate, or `nil` if a value is out of range or isn't finite: for hot paths,
  /// which report rows in their own way.
  package init?(validLatitude latitude: Double, longitude: Double) {
    // Comparisons with NaN are false, so this refuses NaN, too.
    guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else {
      return nil
    }
    self.init(knownLatitude: latitude, longitude: longitude)
  }

  /// Creates a coordinate of a track, whose longitude may be counted past the antimeridian, or `nil`
  /// if a value is invalid.
  ///
  /// A map on which a line continues past its edge counts on: -180.1 is 179.9, and 363.8 is 3.8.
  /// Beyond a whole turn to the west, or a quarter turn past 360, the number is more likely to be
  /// something else. Longitudes from -180 through 360 are kept as given.
  package init?(validLatitude latitude: Double, unwrappedLongitude longitude: Double) {
    guard (-540.0...450).contains(longitude) else { return nil }
    let turn = longitude < -180 ? 360.0 : longitude > 360 ? -360 : 0
    self.init(validLatitude: latitude, longitude: longitude + turn)
  }

  /// Creates a coordinate from numbers that are known to be in range.
  init(knownLatitude latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The same location with its longitude in -180 ..< 180.
  ///
  /// 180 becomes -180, 354.5 becomes -5.5, and -0 becomes 0; the subtraction is exact. A pole keeps
  /// its longitude, which doesn't affect its location.
  public var normalized: Coordinate {
    Coordinate(
      knownLatitude: latitude + 0,  // -0 + 0 is 0
      longitude: longitude >= 180 ? longitude - 360 : longitude + 0)
  }

  private static let latitudes = -90.0...90
  private static let longitudes = -180.0...360

  /// Returns the problems with two numbers as a coordinate; empty if there are none.
  package static func problems(latitude: Double, longitude: Double) -> [String] {
    var problems: [String] = []
    if !latitudes.contains(latitude) {
      problems.append("the latitude \(latitude) isn't between -90 and 90")
    }
    if !longitudes.contains(longitude) {
      problems.append("the longitude \(longitude) isn't between -180 and 360")
    }
    return problems
  }
}

extension Coordinate {
  /// Returns the geodesic distance to another location, exact to a few nanometers everywhere.
  ///
  /// The distance is the shortest path along the ellipsoid, even between nearly antipodal
  /// locations, and is the same in both directions. Heights are ignored.
  public func distance(to other: Coordinate) -> Distance {
    .meters(Geodesic.meters(from: GeodesicPoint(self), to: GeodesicPoint(other)))
  }
}

extension Coordinate: CustomStringConvertible {
  /// The latitude and the longitude, such as `48.15, 17.11`.
  public var description: String { "\(latitude), \(longitude)" }
}

extension Coordinate: Codable {
  /// Creates a coordinate from an object with `latitude` and `longitude`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if a value is out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let valid = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: Self.problems(latitude: latitude, longitude: longitude)
            .joined(separator: "; ")))
    }
    self = valid
  }
}
