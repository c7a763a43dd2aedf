/// An app's own wording of the package's localized strings.
///
/// ```swift
/// let czech = TextCatalog([
///   TextLanguage(rawValue: "cs"): [
///     "meteorites.count": .init(one: "{0} meteorit", few: "{0} meteority", other: "{0} meteoritů")
///   ]
/// ])
/// ```
public struct TextCatalog: Sendable {
  private let lookUp: @Sendable (FieldText, TextLanguage) -> FieldText.Template?

  /// Creates a catalog from a closure that returns a text's wording, or `nil` to keep the
  /// package's.
  public init(_ lookUp: @escaping @Sendable (FieldText, TextLanguage) -> FieldText.Template?) {
    self.lookUp = lookUp
  }

  /// Creates a catalog from the wordings in each language by key.
  public init(_ templates: [TextLanguage: [String: FieldText.Template]]) {
    self.init { text, language in templates[language]?[text.key] }
  }

  /// The catalog that uses the package's wording for every text.
  public static var builtIn: TextCatalog { TextCatalog { _, _ in nil } }

  /// Returns the app's wording of a text in exactly this language.
  public func template(for text: FieldText, in language: TextLanguage) -> FieldText.Template? {
    lookUp(text, language)
  }
}
