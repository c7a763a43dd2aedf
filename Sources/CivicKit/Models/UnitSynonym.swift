internal import FieldCore

/// A word that stands for a unit, such as 檢舉 (report an offense) for the unit that takes
/// complaints.
///
/// A unit may have many synonyms. In the old data, the keys (`a02`, `a04`, …) don't belong to any
/// unit; such synonyms are kept, but lead to nothing.
///
/// Source: the table `mappingKeyword`, which is local to the app and never synchronized.
public struct UnitSynonym: Identifiable, Sendable, Hashable, Codable {
  /// The unit.
  public var unitID: CivicUnit.ID
  /// The word.
  public var text: String

  /// Creates a synonym.
  public init(unitID: CivicUnit.ID, text: String) {
    self.unitID = unitID
    self.text = text
  }

  /// Both together, because a unit can have many words and a word can stand for many units.
  public var id: ID { ID(unitID: unitID, text: text) }

  /// The key of a synonym: the unit and the word.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit.
    public var unitID: CivicUnit.ID
    /// The word.
    public var text: String

    /// Creates a key.
    public init(unitID: CivicUnit.ID, text: String) {
      self.unitID = unitID
      self.text = text
    }
  }
}
