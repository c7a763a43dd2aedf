/// A place on the earth: latitude and longitude on WGS84, in degrees.
///
/// ```swift
/// let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
/// ```
///
/// A coordinate is always valid: finite, latitude -90 to 90, longitude -180 to 360. The longitude is
/// kept as it was given, since sources count it both ways, so two coordinates are equal when their
/// numbers are. ``normalized`` gives one form for each longitude.
public struct Coordinate: Sendable, Hashable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich as given, -180 to 360.
  public let longitude: Double

  /// Makes a coordinate.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput``, whose `problems` name
  ///   each value that is not finite or out of range.
  public init(latitude: Double, longitude: Double) throws {
    guard let valid = Coordinate(validLatitude: latitude, longitude: longitude) else {
      throw FieldError(
        .invalidInput, "this is no coordinate",
        problems: Self.problems(latitude: latitude, longitude: longitude))
    }
    self = valid
  }

  /// Makes a coordinate, or nil when a value is not finite or out of range: for hot paths, which
  /// report rows in their own way.
  package init?(validLatitude latitude: Double, longitude: Double) {
    // Comparisons with NaN are false, so this refuses it too.
    guard Self.latitudes.contains(latitude), Self.longitudes.contains(longitude) else {
      return nil
    }
    self.init(knownLatitude: latitude, longitude: longitude)
  }

  /// Makes a coordinate of numbers that are in range by construction.
  init(knownLatitude latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The same place with its longitude in -180 ..< 180: 180 becomes -180, 354.5 becomes -5.5, and
  /// -0 becomes 0. The subtraction is exact.
  ///
  /// A pole keeps its longitude, which says nothing about where it is.
  public var normalized: Coordinate {
    Coordinate(
      knownLatitude: latitude + 0,  // -0 + 0 is 0
      longitude: longitude >= 180 ? longitude - 360 : longitude + 0)
  }

  private static let latitudes = -90.0...90
  private static let longitudes = -180.0...360

  /// What is wrong with two numbers as a coordinate; empty when nothing is.
  static func problems(latitude: Double, longitude: Double) -> [String] {
    var problems: [String] = []
    if !latitudes.contains(latitude) {
      problems.append("latitude \(latitude) is not between -90 and 90")
    }
    if !longitudes.contains(longitude) {
      problems.append("longitude \(longitude) is not between -180 and 360")
    }
    return problems
  }
}

extension Coordinate {
  /// The length of the shortest way to another place along the ellipsoid, exact to some nanometres
  /// everywhere, nearly antipodal places among them.
  ///
  /// It is the same in both directions. The way is at sea level: heights play no part.
  public func distance(to other: Coordinate) -> Distance {
    .meters(Geodesic.meters(from: GeodesicPoint(self), to: GeodesicPoint(other)))
  }
}

extension Coordinate: CustomStringConvertible {
  /// The latitude and the longitude, such as `48.15, 17.11`.
  public var description: String { "\(latitude), \(longitude)" }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey {
    case latitude
    case longitude
  }

  /// Reads a coordinate from an object with `latitude` and `longitude`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when a value is out of range.
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
