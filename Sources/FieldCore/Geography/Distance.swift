/// A length along the ground, with its unit in its type.
///
/// ```swift
/// let limit: Distance = .kilometers(1.5)
/// print(limit.meters, limit)  // 1500.0 1.5 km
/// ```
public struct Distance: Sendable, Hashable {
  /// The length in metres; negative only as the difference of two distances.
  public var meters: Double

  /// Makes a distance of metres.
  public init(meters: Double) { self.meters = meters }

  /// A distance of metres.
  public static func meters(_ meters: Double) -> Distance { Distance(meters: meters) }

  /// A distance of kilometres.
  public static func kilometers(_ kilometers: Double) -> Distance {
    Distance(meters: kilometers * 1000)
  }

  /// No distance.
  public static var zero: Distance { Distance(meters: 0) }

  /// The length in kilometres.
  public var kilometers: Double { meters / 1000 }
}

extension Distance: Comparable {
  /// Whether the left distance is shorter.
  public static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}

extension Distance: AdditiveArithmetic {
  /// The sum of two distances.
  public static func + (left: Distance, right: Distance) -> Distance {
    Distance(meters: left.meters + right.meters)
  }

  /// What the left distance is longer by than the right one.
  public static func - (left: Distance, right: Distance) -> Distance {
    Distance(meters: left.meters - right.meters)
  }

  /// A multiple of a distance.
  public static func * (distance: Distance, factor: Double) -> Distance {
    Distance(meters: distance.meters * factor)
  }

  /// A multiple of a distance.
  public static func * (factor: Double, distance: Distance) -> Distance {
    Distance(meters: factor * distance.meters)
  }

  /// A part of a distance.
  public static func / (distance: Distance, divisor: Double) -> Distance {
    Distance(meters: distance.meters / divisor)
  }

  /// How many times the right distance goes into the left one.
  public static func / (left: Distance, right: Distance) -> Double {
    left.meters / right.meters
  }
}

extension Distance: CustomStringConvertible {
  /// Whole metres below one kilometre (`850 m`), tenths of a kilometre below one hundred (`12.3 km`),
  /// and whole kilometres above (`1234 km`), rounded; the same in every language.
  public var description: String {
    // Beyond what an Int holds, and for what is no number, the plain description has to do.
    guard abs(meters) < 1e15 else { return "\(meters) m" }
    let sign = meters < 0 && meters.rounded() != 0 ? "-" : ""
    let length = abs(meters)
    let whole = Int(length.rounded())
    if whole < 1000 { return "\(sign)\(whole) m" }
    let tenths = Int((length / 100).rounded())
    if tenths < 1000 { return "\(sign)\(tenths / 10).\(tenths % 10) km" }
    return "\(sign)\(Int((length / 1000).rounded())) km"
  }
}

extension Distance: Codable {
  /// Reads a distance from a single number, its metres.
  public init(from decoder: any Decoder) throws {
    meters = try decoder.singleValueContainer().decode(Double.self)
  }

  /// Writes the distance as a single number, its metres.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(meters)
  }
}
