public import FieldCore
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

  /// Creates the badge that a walk has won by a rule.
  public init(_ rule: BadgeRule, pet: Pet.ID? = nil, walk: Walk) {
    // A length before the pet's id keeps two pairs from running into one text.
    let owner = pet.map { "\($0.rawValue.utf8.count):\($0.rawValue)" } ?? "all"
    id = ID(rawValue: "\(owner):\(rule.name)")
    self.rule = rule
    self.pet = pet
    self.walk = walk.id
    earned = walk.end
  }

  /// The identifier of a badge.
  public typealias ID = RecordID<Badge>
}

extension Badge: CustomStringConvertible {
  /// The ID, which consists of the owner and the rule.
  public var description: String { id.description.printable }
}
