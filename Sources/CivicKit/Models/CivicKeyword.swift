public import FieldCore
public import FieldFoundation

/// A word that categories and units are linked to by ``KeywordLink``, and that states their
/// purpose.
///
/// Source: the table `keyword`.
public struct CivicKeyword: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The key, `keywordId`.
  public var id: ID
  /// The word; empty if the source has none.
  public var text: String
  /// The purpose of the things linked to the word: the column `rank`, or 0 if the source has none.
  public var kind: CategoryKind
  /// A description of the word.
  public var details: String?
  /// The date on which the keyword was entered.
  public var createdAt: Date?
  /// The date of the last change at the source.
  public var updatedAt: Date?

  /// The identifier of a keyword, as the source assigns it.
  public typealias ID = RecordID<CivicKeyword>

  /// Creates a keyword.
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

  /// The word, with the ID in parentheses.
  public var description: String { "\(text) (\(id))".printable }
}

/// An entry of the user's search history.
///
/// Source: the table `searchCache`, which is local to the app and never synchronized.
public struct SearchEntry: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The words, without spaces around them.
  public var text: String

  /// Creates an entry.
  public init(_ text: String) { self.text = text }

  /// The words, which occur only once in the history.
  public var id: String { text }

  /// The words.
  public var description: String { text }
}
