public import FieldFoundation

/// Something that a pet, or all pets together, have won once and for all.
public struct Badge: Identifiable, Sendable, Hashable, Codable {
  /// What the badge is known by: made of the pet and the rule, so that the same badge is never there
  /// twice, however often it is computed.
  public let id: ID
  /// The rule that it was won by.
  public let rule: BadgeRule
  /// The pet; nil for all together.
  public let pet: Pet.ID?
  /// The walk that won it.
  public let walk: Walk.ID
  /// When that walk ended.
  public let earned: Date

  init(_ rule: BadgeRule, pet: Pet.ID?, walk: Walk) {
    // A length before the pet's id keeps two pairs from running into one text.
    let owner = pet.map { "\($0.rawValue.utf8.count):\($0.rawValue)" } ?? "all"
    id = ID(rawValue: "\(owner):\(rule.name)")
    self.rule = rule
    self.pet = pet
    self.walk = walk.id
    earned = walk.end
  }

  /// What tells a badge from all others.
  public struct ID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The text of the id.
    public let rawValue: String
    /// Makes an id from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text of the id.
    public var description: String { rawValue }
  }
}
