import FieldKit
import Foundation

/// `day-out` and `day-out tour`: the story, or every chapter in full.
struct TourCommand: Command {
  static let name = "tour"
  static let operands = "[--all] [--lang LANG]"
  static let summary = "tells the story of a day out, and writes day-out.html"
  static let details: [Detail] = [
    ("--all", "prints every chapter in full instead, with all tables and failures"),
    (
      "--lang LANG",
      """
      en, zh, or ko (en): the language of FieldKit's own texts and of station names; the
      sentences of the story, error messages, and the chapters of --all aren't translated
      """
    ),
  ]
  static let examples = ["day-out", "day-out --lang zh", "day-out --all"]
  static let flags: Set<String> = ["--all"]
  static let values: Set<String> = ["--lang"]

  private static let languages: [String: TextLanguage] = [
    "en": .english, "zh": .traditionalChinese, "ko": .korean,
  ]

  private let printsAll: Bool
  private let language: TextLanguage

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("tour takes only options") }
    printsAll = arguments.has("--all")
    let word = arguments.value("--lang") ?? "en"
    guard let language = Self.languages[word] else {
      throw UsageError("--lang needs en, zh, or ko, not \"\(word)\"")
    }
    self.language = language
  }

  func run() async throws {
    if printsAll { return try await Tour().run() }
    try await Story(language: language).run(writing: URL(filePath: "day-out.html"))
  }
}
