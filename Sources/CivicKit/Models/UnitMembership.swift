internal import FieldCore
public import FieldFoundation

/// A membership of a unit in a category; a unit may be in several.
///
/// Source: the table `administrativeUnitInCategory`.
public struct UnitMembership: Identifiable, Sendable, Hashable, Codable {
  /// The unit.
  public var unitID: CivicUnit.ID
  /// The category that contains the unit.
  public var categoryID: UnitCategory.ID
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// Creates a membership.
  public init(unitID: CivicUnit.ID, categoryID: UnitCategory.ID, updatedAt: Date? = nil) {
    self.unitID = unitID
    self.categoryID = categoryID
    self.updatedAt = updatedAt
  }

  /// Both keys together, because neither alone identifies a membership.
  public var id: ID { ID(unitID: unitID, categoryID: categoryID) }

  /// The key of a membership: the unit and the category.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit.
    public var unitID: CivicUnit.ID
    /// The category.
    public var categoryID: UnitCategory.ID

    /// Creates a key.
    public init(unitID: CivicUnit.ID, categoryID: UnitCategory.ID) {
      self.unitID = unitID
      self.categoryID = categoryID
    }
  }
}

/// The parent of a unit.
public enum UnitParent: Sendable, Hashable, Codable {
  /// There is no parent: the unit is a root.
  case none
  /// The parent is this unit.
  case unit(CivicUnit)
  /// The unit names a parent that the directory doesn't contain.
  case missing(CivicUnit.ID)

  private enum UnitCodingKeys: String, CodingKey { case _0 = "record" }
  private enum MissingCodingKeys: String, CodingKey { case _0 = "id" }
}
