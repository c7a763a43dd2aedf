internal import FieldCore

/// The breed of a dog: one of the old app's nine, "other", or any text.
///
/// ```swift
/// Breed("welshcorgi") == .welshCorgi     // as in the old documents
/// Breed("웰시코기") == .welshCorgi        // as in the old app
/// Breed("진돗개").englishName            // 진돗개: not a known breed
/// ```
///
/// Spellings of a known breed, in Korean, English, or Chinese, become one value; case, blanks,
/// hyphens, and accents don't matter. Other texts are kept as they are, without the blanks around
/// them.
public struct Breed: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the breed, such as `welshcorgi`; the original text if the breed isn't known.
  public let rawValue: String

  /// Creates a breed from any of its spellings.
  public init(rawValue: String) {
    let text = PetRules.trimmed(rawValue)
    // Stored breeds are mostly known, and don't need the table that folds texts.
    self.rawValue = Self.names[text] == nil ? Self.words[Self.key(text)] ?? text : text
  }

  /// Creates a breed from any of its spellings.
  public init(_ text: String) { self.init(rawValue: text) }

  /// Poodle, 푸들.
  public static var poodle: Breed { Breed("poodle") }
  /// Shih Tzu, 시츄.
  public static var shihTzu: Breed { Breed("shihtzu") }
  /// Dachshund, 닥스훈트.
  public static var dachshund: Breed { Breed("dachshund") }
  /// Retriever, 리트리버.
  public static var retriever: Breed { Breed("retriever") }
  /// Chihuahua, 치와와.
  public static var chihuahua: Breed { Breed("chihuahua") }
  /// Bichon Frise, 비숑.
  public static var bichon: Breed { Breed("bichon") }
  /// Maltese, 말티즈.
  public static var maltese: Breed { Breed("maltese") }
  /// Welsh Corgi, 웰시코기.
  public static var welshCorgi: Breed { Breed("welshcorgi") }
  /// Beagle, 비글.
  public static var beagle: Breed { Breed("beagle") }
  /// Another breed, 기타: the old app's last choice.
  public static var other: Breed { Breed("other") }

  /// The choices of the old app in its order, ending with ``other``.
  public static var known: [Breed] {
    [
      .poodle, .shihTzu, .dachshund, .retriever, .chihuahua, .bichon, .maltese, .welshCorgi,
      .beagle, .other,
    ]
  }

  /// The Korean name, as in the old app; the original text if the breed isn't known.
  public var koreanName: String { Self.names[rawValue]?.korean ?? rawValue }

  /// The English name; the original text if the breed isn't known.
  public var englishName: String { Self.names[rawValue]?.english ?? rawValue }

  /// The Chinese name, as used in Taiwan; the original text if the breed isn't known.
  public var chineseName: String { Self.names[rawValue]?.chinese ?? rawValue }

  /// A Boolean value that indicates whether the breed is one of ``known``.
  public var isKnown: Bool { Self.names[rawValue] != nil }

  /// The name of the breed.
  public var description: String { rawValue }

  private static let names: [String: (korean: String, english: String, chinese: String)] = [
    "poodle": ("푸들", "Poodle", "貴賓犬"),
    "shihtzu": ("시츄", "Shih Tzu", "西施犬"),
    "dachshund": ("닥스훈트", "Dachshund", "臘腸犬"),
    "retriever": ("리트리버", "Retriever", "尋回犬"),
    "chihuahua": ("치와와", "Chihuahua", "吉娃娃"),
    "bichon": ("비숑", "Bichon Frise", "比熊犬"),
    "maltese": ("말티즈", "Maltese", "馬爾濟斯"),
    "welshcorgi": ("웰시코기", "Welsh Corgi", "威爾斯柯基犬"),
    "beagle": ("비글", "Beagle", "米格魯"),
    "other": ("기타", "Other", "其他"),
  ]

  /// The keys of all spellings, and the breeds that they stand for.
  private static let words: [String: String] = {
    var words: [String: String] = [
      "시추": "shihtzu", "시쭈": "shihtzu", "몰티즈": "maltese", "말티스": "maltese",
      "비숑프리제": "bichon", "닥스훈드": "dachshund", "코기": "welshcorgi", "corgi": "welshcorgi",
    ]
    for (word, name) in names {
      for spelling in [word, name.korean, name.english, name.chinese] {
        words[key(spelling)] = word
      }
    }
    return words
  }()

  private static func key(_ text: String) -> String {
    TextFolding.fold(text).filter { $0.isLetter || $0.isNumber }
  }
}
