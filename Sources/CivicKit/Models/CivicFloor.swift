/// A floor of a building, counted as in Taiwan: the first is at the street, and there is none of number 0.
public struct CivicFloor: RawRepresentable, Sendable, Hashable, Codable, Comparable,
  ExpressibleByIntegerLiteral, CustomStringConvertible
{
  /// The number; -1 is the first below the street.
  public let rawValue: Int
  /// Makes a floor from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Makes a floor from its number.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }

  /// The sign in the lift: `3F`, `B1`.
  public var description: String { rawValue < 0 ? "B\(-rawValue)" : "\(rawValue)F" }

  /// From below to above.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
