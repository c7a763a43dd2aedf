internal import FieldCore

/// A search over the units of a directory.
///
/// ```swift
/// let hits = try await directory.search(CivicSearch("社會 福利", words: .all, fields: .name))
/// ```
///
/// The text is folded (case, width, diacritics, 臺 and 台, …) and split at blanks into words. Each
/// word is searched for literally, anywhere in a text: `%` and `_` have no special meaning. A text
/// without words finds nothing.
public struct CivicSearch: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The text to search for.
  public var text: String
  /// The number of words that must be found: any of them, or all.
  public var words: Words
  /// The fields to search; each word may be in any of them.
  public var fields: Fields
  /// The maximum number of hits; `nil` for no limit.
  public var limit: Int?

  /// Creates a search, which by default looks for any of the words in names and descriptions.
  public init(
    _ text: String, words: Words = .any, fields: Fields = [.name, .details], limit: Int? = nil
  ) {
    self.text = text
    self.words = words
    self.fields = fields
    self.limit = limit
  }

  /// The number of words that must be found.
  public enum Words: String, Sendable, Hashable, Codable {
    /// At least one word must be found.
    case any
    /// Every word must be found.
    case all
  }

  /// The fields in which to search for words.
  public struct Fields: OptionSet, Sendable, Hashable {
    /// The bit mask.
    public let rawValue: UInt8
    /// Creates a set from its bit mask.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The names of units.
    public static let name = Fields(rawValue: 1)
    /// The descriptions of units.
    public static let details = Fields(rawValue: 2)
    /// The keywords of units: those in their own column and those that they are linked to.
    public static let keywords = Fields(rawValue: 4)
    /// The synonyms of units, such as 檢舉.
    public static let synonyms = Fields(rawValue: 8)
    /// All fields.
    public static let all: Fields = [.name, .details, .keywords, .synonyms]
  }

  /// The folded words without duplicates, at most the first thousand.
  var tokens: [String] {
    TextFolding.fold(text).split(separator: " ").uniqued().prefix(1_000).map(String.init)
  }

  /// The text.
  public var description: String { text.printable }
}

extension CivicSearch.Fields: Codable {
  private static let names: KeyValuePairs<String, Self> = [
    "name": .name, "details": .details, "keywords": .keywords, "synonyms": .synonyms,
  ]

  /// Creates the fields from a list of names, such as `["name", "details"]`.
  public init(from decoder: any Decoder) throws {
    let names = try [String](from: decoder)
    self.init(Self.names.filter { names.contains($0.key) }.map(\.value))
  }

  /// Writes a list of names, such as `["name", "details"]`.
  public func encode(to encoder: any Encoder) throws {
    try Self.names.filter { contains($0.value) }.map(\.key).encode(to: encoder)
  }
}
