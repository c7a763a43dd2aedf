import FieldCore
import Testing

@Suite("The message of an error")
struct FieldErrorMessageTests {
  @Test(
    "the message of an error is one line without control characters, whatever it quotes",
    arguments: [
      ("plain", "plain"), ("臺南 “x” é 👨‍👩‍👧", "臺南 “x” é 👨‍👩‍👧"), ("a\nb\r\nc\td", "a b  c d"),
      ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("\u{0}\u{7F}\u{9B}", "\\u{0}\\u{7F}\\u{9B}"),
      ("\u{202E}x\u{2066}", "\\u{202E}x\\u{2066}"), ("\u{2028}\u{85}", "  "),
    ])
  func printable(quoted: String, text: String) {
    var error = FieldError(.malformed, quoted, problems: [quoted])
    #expect(error.message == text)
    #expect(error.problems == [text])
    error.message = quoted
    error.problems.append(quoted)
    #expect(error.message == text)
    #expect(error.problems == [text, text])
  }

  @Test("the message of an error of a row is also one line, and its excerpt is unchanged")
  func rowFailure() {
    let failure = RowFailure(
      index: 3, key: "a\u{1B}[31m", excerpt: "a\u{1B}[31m,1", reason: "no\nnumber: \u{1B}[31m")
    #expect(failure.reason == "no number: \\u{1B}[31m")
    #expect(failure.description == "row 3 (a\\u{1B}[31m): no number: \\u{1B}[31m")
    #expect(failure.excerpt == "a\u{1B}[31m,1")
  }
}
