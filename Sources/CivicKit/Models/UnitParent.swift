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
