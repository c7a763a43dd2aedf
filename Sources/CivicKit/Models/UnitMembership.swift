internal import FieldCore
public import FieldFoundation

/// That a unit is in a category; it may be in several.
///
/// Source: the table `administrativeUnitInCategory`.
public struct UnitMembership: Identifiable, Sendable, Hashable, Codable {
  /// The unit.
  public var unitID: CivicUnit.ID
  /// The category that it is in.
  public var categoryID: UnitCategory.ID
  /// When that was last changed at the source.
  public var updatedAt: Date?

  /// Makes a membership.
  public init(unitID: CivicUnit.ID, categoryID: UnitCategory.ID, updatedAt: Date? = nil) {
    self.unitID = unitID
    self.categoryID = categoryID
    self.updatedAt = updatedAt
  }

  /// Both keys together, since neither alone tells memberships apart.
  public var id: ID { ID(unitID: unitID, categoryID: categoryID) }

  /// The key of a membership: the unit with the category.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit.
    public var unitID: CivicUnit.ID
    /// The category.
    public var categoryID: UnitCategory.ID

    /// Makes a key.
    public init(unitID: CivicUnit.ID, categoryID: UnitCategory.ID) {
      self.unitID = unitID
      self.categoryID = categoryID
    }
  }
}
