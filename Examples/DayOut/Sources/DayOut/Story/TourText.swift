import FieldKit

/// A sentence of the story in the languages that `--lang` offers, with `{0}`, `{1}`, and so on for its values.
struct TourText: Sendable {
  private let words: [TextLanguage: String]

  /// Creates a sentence, which no language can lack. That none lacks a value of it is checked here, so each run
  /// of the story checks all languages.
  init(_ english: String, _ chinese: String, _ korean: String) {
    let values = Self.values(in: english)
    precondition(
      Self.values(in: chinese) == values && Self.values(in: korean) == values,
      "The languages differ in their values: \(english)")
    words = [.english: english, .traditionalChinese: chinese, .korean: korean]
  }

  private static func values(in text: String) -> Set<Character> {
    Set(zip(text, text.dropFirst()).filter { $0.0 == "{" }.map(\.1))
  }

  func string(in language: TextLanguage, _ values: [String]) -> String {
    values.enumerated().reduce(words[language] ?? "") {
      $0.replacing("{\($1.offset)}", with: $1.element)
    }
  }
}
