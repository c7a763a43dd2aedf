internal import FieldCore
public import FieldFoundation

/// That a unit or a category is tied to a keyword.
///
/// One text is the key of either, and in the old data "1" is the key of both a unit and a category: then
/// the link is for both.
///
/// Source: the table `inKeyword`.
public struct KeywordLink: Identifiable, Sendable, Hashable, Codable {
  /// The key of the unit or of the category, column `id`.
  public var objectID: String
  /// The keyword.
  public var keywordID: CivicKeyword.ID
  /// When that was last changed at the source.
  public var updatedAt: Date?

  /// Makes a link.
  public init(objectID: String, keywordID: CivicKeyword.ID, updatedAt: Date? = nil) {
    self.objectID = objectID
    self.keywordID = keywordID
    self.updatedAt = updatedAt
  }

  /// Both keys together.
  public var id: ID { ID(objectID: objectID, keywordID: keywordID) }

  /// The key of a link: the unit or category with the keyword.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit or the category.
    public var objectID: String
    /// The keyword.
    public var keywordID: CivicKeyword.ID

    /// Makes a key.
    public init(objectID: String, keywordID: CivicKeyword.ID) {
      self.objectID = objectID
      self.keywordID = keywordID
    }
  }
}
