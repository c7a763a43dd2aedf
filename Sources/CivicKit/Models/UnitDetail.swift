internal import FieldCore

/// A unit with its categories and its place in the hierarchy, for a detail screen.
///
/// The unit's location is in ``CivicUnit/field``, ``CivicUnit/planPosition``, and
/// ``CivicUnit/nearbyPathID``.
public struct UnitDetail: Sendable, Hashable, Identifiable, Codable, CustomStringConvertible {
  /// The unit.
  public var unit: CivicUnit
  /// The categories that contain the unit.
  public var categories: [UnitCategory]
  /// The parent of the unit.
  public var parent: UnitParent
  /// The unit's ancestors, nearest first, ending before a unit would be repeated.
  public var ancestors: [CivicUnit]
  /// The direct children of the unit.
  public var children: [CivicUnit]

  /// The key of the unit.
  public var id: CivicUnit.ID { unit.id }

  /// Creates a detail.
  public init(
    unit: CivicUnit, categories: [UnitCategory], parent: UnitParent, ancestors: [CivicUnit],
    children: [CivicUnit]
  ) {
    self.unit = unit
    self.categories = categories
    self.parent = parent
    self.ancestors = ancestors
    self.children = children
  }

  /// The description of the unit.
  public var description: String { unit.description }
}
