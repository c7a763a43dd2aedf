/// What stands above a unit.
public enum UnitParent: Sendable, Hashable {
  /// Nothing: the unit is a root.
  case none
  /// This unit.
  case unit(CivicUnit)
  /// The unit names a parent that the directory does not have.
  case missing(CivicUnit.ID)
}
