public import FieldCore
public import FieldFoundation

/// A word that categories and units are tied to by ``KeywordLink``, and that says what they are for.
///
/// Source: the table `keyword`.
public struct CivicKeyword: Identifiable, Sendable, Hashable, Codable {
  /// The key, `keywordId`.
  public var id: ID
  /// The word; empty when the source has none.
  public var text: String
  /// What the things tied to the word are for: the column `rank`, 0 when the source does not say.
  public var kind: CategoryKind
  /// What the word means.
  public var details: String?
  /// When the keyword was entered.
  public var createdAt: Date?
  /// When the keyword was last changed at the source.
  public var updatedAt: Date?

  /// The identifier of a keyword, as the source assigns it.
  public typealias ID = RecordID<CivicKeyword>

  /// Makes a keyword.
  public init(
    id: ID, text: String, kind: CategoryKind = CategoryKind(rawValue: 0), details: String? = nil,
    createdAt: Date? = nil, updatedAt: Date? = nil
  ) {
    self.id = id
    self.text = text
    self.kind = kind
    self.details = details
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension CivicKeyword: CustomStringConvertible {
  /// The word, with the ID in parentheses.
  public var description: String { "\(text) (\(id))".printable }
}
