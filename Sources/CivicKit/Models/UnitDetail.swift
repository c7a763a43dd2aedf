internal import FieldCore

/// A unit with all that hangs together with it: what a screen about it shows.
///
/// Its place is in ``CivicUnit/field``, ``CivicUnit/planPosition`` and ``CivicUnit/nearbyPathID``.
public struct UnitDetail: Sendable, Hashable, Identifiable, Codable, CustomStringConvertible {
  /// The unit.
  public var unit: CivicUnit
  /// The categories that it is in.
  public var categories: [UnitCategory]
  /// What stands above it.
  public var parent: UnitParent
  /// The units above it, the nearest first; it ends before a unit would come twice.
  public var ancestors: [CivicUnit]
  /// The units directly below it.
  public var children: [CivicUnit]

  /// The key of the unit.
  public var id: CivicUnit.ID { unit.id }

  /// Makes a detail.
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

  /// The unit.
  public var description: String { unit.description }
}
