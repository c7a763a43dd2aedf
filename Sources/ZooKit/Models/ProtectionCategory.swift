public import FieldCore

/// The protection of a species under Taiwan's Wildlife Conservation Act.
public struct ProtectionCategory: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the category.
  public var rawValue: String
  /// Creates a category from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Category I: endangered species (瀕臨絕種野生動物).
  public static var endangered: Self { Self(rawValue: "endangered") }
  /// Category II: rare and valuable species (珍貴稀有野生動物).
  public static var rareAndValuable: Self { Self(rawValue: "rareAndValuable") }
  /// Category III: other conservation-deserving wildlife (其他應予保育之野生動物).
  public static var otherProtected: Self { Self(rawValue: "otherProtected") }
  /// Protected, without a stated category (保育類野生動物).
  public static var protected: Self { Self(rawValue: "protected") }
  /// General wildlife, which isn't protected (一般類野生動物, 非保護類野生動物).
  public static var general: Self { Self(rawValue: "general") }

  /// The categories, most protected first.
  public static var known: [ProtectionCategory] {
    [.endangered, .rareAndValuable, .otherProtected, .protected, .general]
  }

  /// The localized name.
  public var title: FieldText { ZooTexts.name(of: self) }

  /// Creates a category by reading the zoo's text; returns `nil` if the text names none.
  public init?(reading text: String) {
    // The names for unprotected wildlife contain those for protected wildlife, so they come first.
    let names: KeyValuePairs<String, ProtectionCategory> = [
      "瀕臨絕種": .endangered, "珍貴稀有": .rareAndValuable, "應予保育": .otherProtected,
      "非保護類": .general, "非保育類": .general, "一般類": .general, "保育類": .protected,
      "保護類": .protected,
    ]
    guard let found = ZooWords.first(of: names, in: TextFolding.fold(text)) else { return nil }
    self = found
  }
}
