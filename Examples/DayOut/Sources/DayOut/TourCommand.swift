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
      en, zh, or ko (en): the language of the story and its page; with --all, of FieldKit's own
      texts and of names only
      """
    ),
  ]
  static let examples = ["day-out", "day-out --lang zh", "day-out --all"]
  static let flags: Set<String> = ["--all"]
  static let values: Set<String> = ["--lang"]

  private let printsAll: Bool
  private let language: TextLanguage

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("tour takes only options") }
    printsAll = arguments.has("--all")
    language = try arguments.language()
  }

  func run() async throws {
    if printsAll { return try await Tour(language: language).run() }
    try await Story(language: language).run(writing: URL(filePath: "day-out.html"))
  }
}
