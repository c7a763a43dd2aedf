/// A language of localized strings, identified by its tag (BCP 47), such as `en` or `zh-Hant`.
public struct TextLanguage: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable,
  CustomStringConvertible
{
  /// The tag, with hyphens.
  public let rawValue: String

  /// How many bytes a tag may have; RFC 5646, section 4.4.1, recommends room for 35 characters.
  private static let longestTag = 128

  /// Creates a language from its tag; `zh_Hant_TW` is read as `zh-Hant-TW`.
  public init(rawValue: String) {
    var tag = String.UnicodeScalarView()
    tag.append(contentsOf: rawValue.streamSafe.unicodeScalars.lazy.map { $0 == "_" ? "-" : $0 })
    self.rawValue = String(tag)
  }

  /// The tag.
  public var description: String { rawValue }

  /// English.
  public static var english: Self { Self(rawValue: "en") }
  /// Chinese in traditional characters, as in Taiwan.
  public static var traditionalChinese: Self { Self(rawValue: "zh-Hant") }

  /// Korean.
  public static var korean: Self { Self(rawValue: "ko") }
  /// Slovak.
  public static var slovak: Self { Self(rawValue: "sk") }

  /// The language and its fallbacks, the nearest first: `zh-Hant-TW`, `zh-Hant`, `zh`.
  ///
  /// `zh-TW`, `zh-HK`, and `zh-MO` use traditional characters, so `zh-Hant` comes next. A tag that is
  /// longer than any real one has no fallbacks, because a thousand hyphens would take a million steps.
  var chain: [TextLanguage] {
    var chain = [self]
    guard rawValue.utf8.count <= Self.longestTag else { return chain }
    var tag = Substring(rawValue)
    while let hyphen = tag.lastIndex(of: "-") {
      if ["zh-TW", "zh-HK", "zh-MO"].contains(tag) { chain.append(.traditionalChinese) }
      tag = tag[..<hyphen]
      chain.append(TextLanguage(rawValue: String(tag)))
    }
    return chain
  }
}
