internal import FieldCore
public import FieldFoundation

/// A link between a unit or a category and a keyword.
///
/// The link doesn't say which of the two it refers to. In the old data, "1" is the key of both a
/// unit and a category; the link then applies to both.
///
/// Source: the table `inKeyword`.
public struct KeywordLink: Identifiable, Sendable, Hashable, Codable {
  /// The key of the unit or of the category, column `id`.
  public var objectID: String
  /// The keyword.
  public var keywordID: CivicKeyword.ID
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// Creates a link.
  public init(objectID: String, keywordID: CivicKeyword.ID, updatedAt: Date? = nil) {
    self.objectID = objectID
    self.keywordID = keywordID
    self.updatedAt = updatedAt
  }

  /// Both keys together.
  public var id: ID { ID(objectID: objectID, keywordID: keywordID) }

  /// The key of a link: the unit or category, and the keyword.
  public struct ID: Sendable, Hashable, Codable {
    /// The unit or the category.
    public var objectID: String
    /// The keyword.
    public var keywordID: CivicKeyword.ID

    /// Creates a key.
    public init(objectID: String, keywordID: CivicKeyword.ID) {
      self.objectID = objectID
      self.keywordID = keywordID
    }
  }
}
