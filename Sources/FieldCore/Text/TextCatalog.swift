/// A host's own wording of the package's texts.
///
/// ```swift
/// let czech = TextCatalog { text, language in
///   guard language.rawValue == "cs", text.key == "meteorites.count",
///     case .count(let count) = text.arguments.first
///   else { return nil }                                   // the package's own wording
///   let word = count == 1 ? "meteorit" : (2...4).contains(count) ? "meteority" : "meteoritů"
///   return .init(other: "{0} \(word)")
/// }
/// ```
public struct TextCatalog: Sendable {
  private let lookUp: @Sendable (FieldText, TextLanguage) -> FieldText.Template?

  /// Makes a catalog from a function that gives a text's wording, or nil to keep the package's.
  public init(_ lookUp: @escaping @Sendable (FieldText, TextLanguage) -> FieldText.Template?) {
    self.lookUp = lookUp
  }

  /// Makes a catalog from the wordings of each language by key.
  public init(_ templates: [TextLanguage: [String: FieldText.Template]]) {
    self.init { text, language in templates[language]?[text.key] }
  }

  /// The catalog that leaves every text as the package has it.
  public static var builtIn: TextCatalog { TextCatalog { _, _ in nil } }

  /// The host's wording of a text in exactly this language.
  public func template(for text: FieldText, in language: TextLanguage) -> FieldText.Template? {
    lookUp(text, language)
  }
}
