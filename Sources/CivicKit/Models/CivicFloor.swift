/// A floor of a building, counted as in Taiwan: the first is at street level, and there is no floor
/// 0.
public struct CivicFloor: RawRepresentable, Sendable, Hashable, Codable, Comparable,
  ExpressibleByIntegerLiteral, CustomStringConvertible
{
  /// The number of the floor; -1 is the first one below street level.
  public let rawValue: Int
  /// Creates a floor from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Creates a floor from its number.
  public init(integerLiteral value: Int) { self.init(rawValue: value) }

  /// The sign in the elevator, such as `3F` or `B1`.
  public var description: String { rawValue < 0 ? "B\(-rawValue)" : "\(rawValue)F" }

  /// Returns whether a floor is below another one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
