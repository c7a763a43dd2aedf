/// A length along the ground, independent of its unit.
///
/// ```swift
/// let limit: Distance = .kilometers(1.5)
/// print(limit.meters, limit)  // 1500.0 1.5 km
/// ```
public struct Distance: Sendable, Hashable {
  /// The length in meters, which is negative only for differences.
  public var meters: Double

  /// Creates a distance in meters.
  public init(meters: Double) { self.meters = meters }

  /// Returns a distance in meters.
  public static func meters(_ meters: Double) -> Distance { Distance(meters: meters) }

  /// Returns a distance in kilometers.
  public static func kilometers(_ kilometers: Double) -> Distance {
    Distance(meters: kilometers * 1000)
  }

  /// A distance of zero.
  public static var zero: Distance { Distance(meters: 0) }

  /// The length in kilometers.
  public var kilometers: Double { meters / 1000 }
}

extension Distance: Comparable {
  /// Returns a Boolean value that indicates whether one distance is shorter than another.
  public static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}

extension Distance: AdditiveArithmetic {
  /// Returns the sum of two distances.
  public static func + (left: Distance, right: Distance) -> Distance {
    Distance(meters: left.meters + right.meters)
  }

  /// Returns the difference of two distances.
  public static func - (left: Distance, right: Distance) -> Distance {
    Distance(meters: left.meters - right.meters)
  }

  /// Returns a multiple of a distance.
  public static func * (distance: Distance, factor: Double) -> Distance {
    Distance(meters: distance.meters * factor)
  }

  /// Returns a multiple of a distance.
  public static func * (factor: Double, distance: Distance) -> Distance {
    Distance(meters: factor * distance.meters)
  }

  /// Returns a fraction of a distance.
  public static func / (distance: Distance, divisor: Double) -> Distance {
    Distance(meters: distance.meters / divisor)
  }

  /// Returns the ratio of two distances.
  public static func / (left: Distance, right: Distance) -> Double {
    left.meters / right.meters
  }
}

extension Distance: CustomStringConvertible {
  /// The rounded length: in meters (`850 m`), from 1 km in tenths of a kilometer (`12.3 km`), and
  /// from 100 km in kilometers (`1234 km`); the same in every language.
  public var description: String {
    // Numbers that an `Int` can't hold, and NaN, use the plain description.
    guard abs(meters) < 1e15 else { return "\(meters) m" }
    let sign = meters < 0 && meters.rounded() != 0 ? "-" : ""
    let length = abs(meters)
    let whole = Int64(length.rounded())
    if whole < 1000 { return "\(sign)\(whole) m" }
    let tenths = Int64((length / 100).rounded())
    if tenths < 1000 { return "\(sign)\(tenths / 10).\(tenths % 10) km" }
    return "\(sign)\(Int64((length / 1000).rounded())) km"
  }
}

extension Distance: Codable {
  /// Creates a distance from a single number, in meters.
  public init(from decoder: any Decoder) throws {
    meters = try decoder.singleValueContainer().decode(Double.self)
  }

  /// Encodes the distance as a single number, in meters.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(meters)
  }
}

/// A record and its distance from the location of a search.
public struct NearbyRecord<Record: Identifiable & Sendable>: Identifiable, Sendable {
  /// The record.
  public var record: Record
  /// The geodesic distance to the record's location (WGS84); paths on the ground are longer.
  public var distance: Distance
  /// The ID of the record.
  public var id: Record.ID { record.id }

  /// Creates a search result.
  public init(_ record: Record, distance: Distance) {
    self.record = record
    self.distance = distance
  }
}

extension NearbyRecord: Equatable where Record: Equatable {}
extension NearbyRecord: Hashable where Record: Hashable {}
extension NearbyRecord: Encodable where Record: Encodable {}
extension NearbyRecord: Decodable where Record: Decodable {}

extension NearbyRecord: CustomStringConvertible {
  /// The record and its distance.
  public var description: String { "\(record), \(distance)" }
}
