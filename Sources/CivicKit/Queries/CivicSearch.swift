internal import FieldCore

/// A search over the units of a directory.
///
/// ```swift
/// let hits = try await directory.search(CivicSearch("社會 福利", words: .all, fields: .name))
/// ```
///
/// The text is folded (case, width, diacritics, 臺 and 台 …) and split at blanks into words, each of which
/// is looked for as it stands, anywhere in a text: `%` and `_` are signs like others. A text without words
/// finds nothing.
public struct CivicSearch: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What is looked for.
  public var text: String
  /// How many of its words have to be found.
  public var words: Words
  /// Where they are looked for: each word in any of these.
  public var fields: Fields
  /// How many hits are given at the most; nil for all.
  public var limit: Int?

  /// Makes a search: for any of the words, in names and descriptions, unless told otherwise.
  public init(
    _ text: String, words: Words = .any, fields: Fields = [.name, .details], limit: Int? = nil
  ) {
    self.text = text
    self.words = words
    self.fields = fields
    self.limit = limit
  }

  /// How many of the words have to be found.
  public enum Words: String, Sendable, Hashable, Codable {
    /// One at least.
    case any
    /// Every one.
    case all
  }

  /// Where words are looked for.
  public struct Fields: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The names of units.
    public static let name = Fields(rawValue: 1)
    /// The descriptions of units.
    public static let details = Fields(rawValue: 2)
    /// The keywords of units: those of their own column, and those that they are linked to.
    public static let keywords = Fields(rawValue: 4)
    /// The synonyms of units, such as 檢舉.
    public static let synonyms = Fields(rawValue: 8)
    /// All of them.
    public static let all: Fields = [.name, .details, .keywords, .synonyms]
  }

  /// The folded words, each once; of more than a thousand, which nobody types, the first ones.
  var tokens: [String] {
    var tokens: [String] = []
    var seen: Set<Substring> = []
    for word in TextFolding.fold(text).split(separator: " ") where seen.insert(word).inserted {
      tokens.append(String(word))
      if tokens.count == 1_000 { break }
    }
    return tokens
  }

  /// The text.
  public var description: String { text.printable }
}

extension CivicSearch.Fields: Codable {
  private static let names: KeyValuePairs<String, Self> = [
    "name": .name, "details": .details, "keywords": .keywords, "synonyms": .synonyms,
  ]

  /// Reads a list of names, such as `["name", "details"]`.
  public init(from decoder: any Decoder) throws {
    let names = try [String](from: decoder)
    self.init(Self.names.filter { names.contains($0.key) }.map(\.value))
  }

  /// Writes a list of names, such as `["name", "details"]`.
  public func encode(to encoder: any Encoder) throws {
    try Self.names.filter { contains($0.value) }.map(\.key).encode(to: encoder)
  }
}
