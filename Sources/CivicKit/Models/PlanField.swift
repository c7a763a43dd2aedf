/// The key of a floor plan, column `fieldId`.
public struct PlanField: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key as the source has it.
  public let rawValue: String
  /// Creates a key from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The key.
  public var description: String { rawValue }

  /// The floor of the plan in Tainan's city hall; `nil` if it isn't known.
  ///
  /// The source has no column for the floor. It was derived from the names of the toilets and
  /// elevators on each plan (`1樓東側廁所`).
  public var floor: CivicFloor? { Self.floors[rawValue] }

  private static let floors: [String: CivicFloor] = [
    "field_1450746296": -2,
    "field_1450776650": -1,
    "field_1450776651": 1,
    "field_568ca78f9a6183_29396281": 2,
    "field_568ca791279209_44559077": 3,
    "field_568ca7926a0b34_46670786": 4,
    "field_568ca7e994e082_36532244": 5,
    "field_568ca7eacbaca5_98960284": 6,
    "field_568ca7ebcbb430_48236674": 7,
    "field_568ca7eceacb56_77800632": 8,
    "field_568ca7edcd3c57_14526537": 9,
    "field_568ca9de97ca15_46026194": 10,
    "field_568ca9e16f0aa5_08914912": 11,
    "field_568ca9e2ace755_97356850": 12,
    "field_568ca9e7ca0635_31382459": 13,
    "field_568ca9e8572dc1_05925209": 14,
    "field_568ca9e8d31d83_29116706": 15,
    "field_568ca9e955ef97_85573595": 16,
  ]
}

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

/// A position on a floor plan, in pixels from the plan's upper left corner.
///
/// It isn't a geographic coordinate. The old plans were 0 to 670 pixels wide and 0 to 1,032 pixels
/// high. Their 0/0 means that nobody has entered a position, and is read as `nil`.
public struct PlanPosition: Sendable, Hashable, Codable {
  /// The distance from the left, in pixels.
  public var x: Int
  /// The distance from the top, in pixels.
  public var y: Int

  /// Creates a position.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}
