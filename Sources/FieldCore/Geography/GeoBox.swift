/// A part of the earth between two parallels and two meridians, edges included.
///
/// ```swift
/// let fiji = try GeoBox(south: -21, west: 176, north: -12, east: -178)
/// fiji.contains(try Coordinate(latitude: -17.5, longitude: 179.9))  // true
/// ```
///
/// A box goes from ``west`` eastward to ``east``. When west is greater than east it crosses the
/// antimeridian; nothing else is needed for boxes around ±180°. A box that reaches a pole contains
/// it whatever longitude the pole is given under, since all meridians meet there.
public struct GeoBox: Sendable, Hashable {
  /// The southern edge in degrees, -90 to 90.
  public let south: Double
  /// The western edge in degrees, -180 ..< 180.
  public let west: Double
  /// The northern edge in degrees, not below ``south``.
  public let north: Double
  /// The eastern edge in degrees, -180 to 180; 180 rather than -180 where that lets west ≤ east.
  public let east: Double

  /// Makes a box.
  ///
  /// Longitudes may be given as -180 to 360. An east below west means a box across the antimeridian;
  /// an east that is a whole turn or more above west means all longitudes.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput``, whose `problems` name
  ///   each value that is out of range, or the edges that are the wrong way round.
  public init(south: Double, west: Double, north: Double, east: Double) throws {
    let problems = Self.problems(south: south, west: west, north: north, east: east)
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "this is no box", problems: problems)
    }
    self.init(knownSouth: south, west: west, north: north, east: east)
  }

  /// Makes a box of edges that are in range by construction.
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
      Coordinate.problems(latitude: south, longitude: west).map { "south-west corner: " + $0 }
      + Coordinate.problems(latitude: north, longitude: east).map { "north-east corner: " + $0 }
    if south > north { problems.append("south \(south) is north of north \(north)") }
    return problems
  }
}

extension GeoBox {
  /// Whether the box goes across the antimeridian, the meridian of ±180°.
  public var crossesAntimeridian: Bool { west > east }

  /// How many degrees of latitude the box has, 0 to 180.
  public var latitudeSpan: Double { north - south }

  /// How many degrees of longitude the box has, 0 to 360.
  public var longitudeSpan: Double { crossesAntimeridian ? east - west + 360 : east - west }

  /// The middle of the box, by degrees.
  public var center: Coordinate {
    let longitude = west + longitudeSpan / 2
    return Coordinate(
      knownLatitude: min(max((south + north) / 2, -90), 90), longitude: longitude
    ).normalized
  }

  /// Whether a place is in the box or on its edge.
  public func contains(_ coordinate: Coordinate) -> Bool {
    let place = coordinate.normalized
    return contains(latitude: place.latitude, longitude: place.longitude)
  }

  /// Whether the boxes have a place in common, if only on their edges.
  public func intersects(_ other: GeoBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    if north == 90 && other.north == 90 || south == -90 && other.south == -90 { return true }
    // Of two arcs that meet, one has the other's start.
    return contains(longitude: other.west) || other.contains(longitude: west)
  }

  /// `contains`, for a longitude in -180 ..< 180.
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
  /// The edges from south by west and north to east, such as `-21.0, 176.0 to -12.0, -178.0`.
  public var description: String { "\(south), \(west) to \(north), \(east)" }
}

extension GeoBox: Codable {
  private enum CodingKeys: String, CodingKey {
    case south
    case west
    case north
    case east
  }

  /// Reads a box from an object with `south`, `west`, `north` and `east`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when the edges are none of a box.
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
