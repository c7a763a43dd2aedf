/// A localized string that comes with the data, such as "Mass unknown" or "3 meteorites".
///
/// The string is a value: a key, its arguments, and the package's wording in some languages. An app
/// shows it as it is, or replaces the wording in any language with a ``TextCatalog``.
///
/// ```swift
/// let text = FieldText("meteorites.count", .count(1027), templates: [
///   .english: .init(one: "{0} meteorite", other: "{0} meteorites"),
///   .traditionalChinese: "{0} 顆隕石",
/// ])
/// text.string()                                          // "1027 meteorites"
/// text.string(in: .traditionalChinese, numbers: .grouped)  // "1,027 顆隕石"
/// ```
public struct FieldText: Sendable, Hashable, Codable {
  /// The key that identifies the text in all languages, such as `meteorites.mass.unknown`.
  public let key: String
  /// The values that replace `{0}`, `{1}`, and so on.
  public let arguments: [Argument]
  /// The package's wording in each language.
  public let templates: [TextLanguage: Template]

  /// Creates a localized string.
  public init(_ key: String, _ arguments: Argument..., templates: [TextLanguage: Template]) {
    self.key = key
    self.arguments = arguments
    self.templates = templates
  }

  /// Returns the text in a language.
  ///
  /// For `zh-Hant-TW`, then `zh-Hant`, then `zh`, the catalog's wording is used if it has one,
  /// otherwise the package's. If there is none, the text is in English, and without English it is
  /// the key.
  public func string(
    in language: TextLanguage = .english, numbers: NumberStyle = .plain,
    catalog: TextCatalog = .builtIn
  ) -> String {
    for language in language.chain + [.english] {
      if let template = catalog.template(for: self, in: language) ?? templates[language] {
        return template.filled(with: arguments, numbers: numbers)
      }
    }
    return key
  }

  /// A value to insert into a text.
  public enum Argument: Sendable, Hashable, Codable {
    /// A text to insert unchanged.
    case text(String)
    /// A number of things, the first of which selects ``Template/one``, ``Template/few``, or
    /// ``Template/other``.
    case count(Int)
    /// A number with a fixed number of fraction digits; see
    /// ``NumberStyle/string(_:fractionDigits:)``.
    case number(Double, fractionDigits: Int)

    private enum TextCodingKeys: String, CodingKey { case _0 = "text" }
    private enum CountCodingKeys: String, CodingKey { case _0 = "value" }
    private enum NumberCodingKeys: String, CodingKey { case _0 = "value", fractionDigits }

    func string(_ style: NumberStyle) -> String {
      switch self {
      case .text(let text): text
      case .count(let count): style.string(count)
      case .number(let number, let digits): style.string(number, fractionDigits: digits)
      }
    }
  }

  /// The wording of a text in one language, with placeholders such as `{0}` and `{1}`.
  public struct Template: Sendable, Hashable, ExpressibleByStringLiteral, Codable {
    /// The wording for exactly 1; `nil` if it is the same as ``other``.
    public var one: String?
    /// The wording for 2 through 4, as in Slovak and Czech; `nil` if it is the same as ``other``.
    public var few: String?
    /// The wording for all other counts, and for texts without a count.
    public var other: String

    /// Creates a wording.
    ///
    /// For a language with other plural rules, such as Polish, pass a ``TextCatalog`` that selects
    /// the wording by the count.
    public init(one: String? = nil, few: String? = nil, other: String) {
      self.one = one
      self.few = few
      self.other = other
    }

    /// Creates a wording that is the same for every count.
    public init(stringLiteral other: String) { self.init(other: other) }

    /// How many digits the index of an argument may have.
    private static let longestIndex = 9

    func filled(with arguments: [Argument], numbers: NumberStyle) -> String {
      let count = arguments.lazy.compactMap { argument in
        if case .count(let count) = argument { count } else { nil }
      }.first
      let form =
        switch count {
        case 1?: one
        case 2?, 3?, 4?: few
        default: nil as String?
        }
      var rest = (form ?? other)[...]
      var result = ""
      // A brace that isn't followed by a valid index is an ordinary character.
      while let open = rest.firstIndex(of: "{") {
        result += rest[..<open]
        let tail = rest[rest.index(after: open)...]
        if let close = tail.prefix(Self.longestIndex + 1).firstIndex(of: "}"),
          let index = Int(tail[..<close]),
          arguments.indices.contains(index)
        {
          result += arguments[index].string(numbers)
          rest = tail[tail.index(after: close)...]
        } else {
          result += "{"
          rest = tail
        }
      }
      return result + rest
    }
  }

  /// Creates a string with the package's wordings in English, Chinese, and perhaps Korean.
  package init(
    _ key: String, _ arguments: Argument..., en english: Template, zh chinese: Template,
    ko korean: Template? = nil
  ) {
    self.key = key
    self.arguments = arguments
    var templates = [TextLanguage.english: english, .traditionalChinese: chinese]
    templates[.korean] = korean
    self.templates = templates
  }
}

extension FieldText: CustomStringConvertible {
  /// The text in English.
  public var description: String { string() }
}
