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
