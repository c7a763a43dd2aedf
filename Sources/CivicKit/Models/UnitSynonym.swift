internal import FieldCore

/// A word that means a unit: 檢舉 for the one that takes complaints. A unit may have many.
///
/// In the old data the keys (`a02`, `a04` …) are those of no unit; such a synonym is kept and finds
/// nothing.
///
/// Source: the table `mappingKeyword`, which is local to the app and never synchronised.
public struct UnitSynonym: Identifiable, Sendable, Hashable, Codable {
  /// The unit.
  public var unitID: CivicUnit.ID
  /// The word.
  public var text: String

  /// Makes a synonym.
  public init(unitID: CivicUnit.ID, text: String) {
    self.unitID = unitID
    self.text = text
  }

  /// Both together, since a unit has many words and a word may mean many units.
  public var id: ID { ID(unitID: unitID, text: text) }

  /// The key of a synonym: the unit with the word.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit.
    public var unitID: CivicUnit.ID
    /// The word.
    public var text: String

    /// Makes a key.
    public init(unitID: CivicUnit.ID, text: String) {
      self.unitID = unitID
      self.text = text
    }
  }
}
