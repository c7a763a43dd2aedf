public import FieldCore
public import FieldFoundation

/// A badge that a pet, or all pets together, have won permanently.
public struct Badge: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The identifier, which is derived from the pet and the rule, so that computing the same badge
  /// again never creates a second one.
  public let id: ID
  /// The rule by which the badge was won.
  public let rule: BadgeRule
  /// The pet; `nil` for all pets together.
  public let pet: Pet.ID?
  /// The walk that won it.
  public let walk: Walk.ID
  /// The date on which that walk ended.
  public let earned: Date

  /// Creates the badge that a walk has won by a rule.
  public init(_ rule: BadgeRule, pet: Pet.ID? = nil, walk: Walk) {
    // A length before the pet's ID keeps different pairs from producing the same text.
    let owner = pet.map { "\($0.rawValue.utf8.count):\($0.rawValue)" } ?? "all"
    id = ID(rawValue: "\(owner):\(rule.name)")
    self.rule = rule
    self.pet = pet
    self.walk = walk.id
    earned = walk.end
  }

  /// The identifier of a badge.
  public typealias ID = RecordID<Badge>

  /// The ID, which consists of the owner and the rule.
  public var description: String { id.description.printable }
}
