import FieldKit

/// The narrator of the story: prints it, collects the page, and stops when a promise is broken.
final class Narrator {
  /// A promise of FieldKit that the tour has found broken.
  struct BrokenPromise: Error {
    let message: String
  }

  let language: TextLanguage
  let terminal = Terminal.standard
  var page: HTMLPage

  init(language: TextLanguage) {
    self.language = language
    page = HTMLPage(title: TourText.title.string(in: language, []), language: language)
  }

  // MARK: Printing

  func begin(_ title: TourText, _ sentence: TourText) {
    print(terminal.styled(text(title), .bold))
    say(sentence)
    page.note(text(sentence))
  }

  /// Begins a chapter with the one sentence that explains it.
  func chapter(_ time: String, _ title: TourText, _ sentence: TourText, _ values: String...) {
    let title = text(title)
    let sentence = sentence.string(in: language, values)
    print("\n\(terminal.styled(time, .bold))  \(styled(title, .bold, indent: 7))")
    say(sentence)
    page.heading("\(time) \(title)")
    page.paragraph(sentence)
  }

  func done(_ text: String) { item("✓", text, .green) }

  func done(_ text: TourText, _ values: String...) { done(text.string(in: language, values)) }

  func failed(_ text: TourText, _ values: String...) {
    item("✗", text.string(in: language, values), .red)
  }

  /// Prints something that FieldKit doesn't show, and why.
  func hidden(_ text: String, because reason: String) {
    print("  \(terminal.styled("✗", .red)) \(styled(text, .crossedOut, indent: 4))")
    print("      \(terminal.wrapped(reason, indent: 6).joined(separator: "\n"))")
  }

  private func styled(_ text: String, _ style: Terminal.Style, indent: Int) -> String {
    terminal.wrapped(text, indent: indent).map { line in
      let words = line.drop { $0 == " " }
      return line.prefix(line.count - words.count) + terminal.styled(String(words), style)
    }.joined(separator: "\n")
  }

  func say(_ text: TourText, _ values: String...) { say(text.string(in: language, values)) }

  private func say(_ text: String) { print(terminal.wrapped(text).joined(separator: "\n")) }

  private func item(_ mark: String, _ text: String, _ style: Terminal.Style) {
    let lines = terminal.wrapped(text, indent: 4)
    print("  \(terminal.styled(mark, style)) \(lines.joined(separator: "\n"))")
  }

  /// Compares code that trusts what arrives with FieldKit, in the terminal and on the page.
  func compare(_ arrived: String, naive: String, fieldKit: String) {
    for line in [text(.naive, naive), text(.fieldKit, fieldKit)] {
      print("  → \(terminal.wrapped(line, indent: 4).joined(separator: "\n"))")
    }
    page.table(
      caption: text(.comparison),
      [text(.arrived), text(.naiveShows), text(.fieldKitShows)], [[arrived, naive, fieldKit]])
  }

  // MARK: Checking

  /// Ends the tour if a promise doesn't hold.
  func expect(_ holds: Bool, _ promise: String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(message: "A promise doesn't hold: \(promise)") }
  }

  /// Runs something that has to fail, and returns its error.
  func failure<Result: Sendable>(
    of name: String, _ body: () async throws -> Result
  ) async throws -> FieldError {
    do {
      _ = try await body()
    } catch let error as FieldError {
      return error
    }
    throw BrokenPromise(message: "A promise doesn't hold: \(name) must fail, but it succeeded.")
  }

  // MARK: Names and numbers

  func name(_ station: MetroStation) -> String { language.name(station) }

  func name(_ animal: Animal) -> String { language.name(animal) }

  func text(_ text: FieldText) -> String { language.text(text) }

  func text(_ text: TourText, _ values: String...) -> String { text.string(in: language, values) }

  /// The reason for an error, as an app tells its user.
  func reason(of error: FieldError) -> String { text(error.code.guidance.reason) }

  func number(_ number: Int) -> String { grouped(number) }
}
