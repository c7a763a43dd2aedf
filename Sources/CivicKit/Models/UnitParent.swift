/// What stands above a unit.
public enum UnitParent: Sendable, Hashable, Codable {
  /// Nothing: the unit is a root.
  case none
  /// This unit.
  case unit(CivicUnit)
  /// The unit names a parent that the directory does not have.
  case missing(CivicUnit.ID)

  private enum UnitCodingKeys: String, CodingKey { case _0 = "record" }
  private enum MissingCodingKeys: String, CodingKey { case _0 = "id" }
}
