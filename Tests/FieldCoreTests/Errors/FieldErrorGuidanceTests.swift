import FieldCore
import Foundation
import Testing

@Suite("What an error shows")
struct FieldErrorGuidanceTests {
  @Test(
    "what an error shows is its title, reason, and advice in the language of the user",
    arguments: [
      ("en", "No Connection", "Check your internet connection, then try again."),
      ("zh-Hant-TW", "沒有網路連線", "請檢查網路連線，然後再試一次。"),
      ("ko-KR", "연결 안 됨", "인터넷 연결을 확인한 다음 다시 시도해 주세요."),
      ("sk", "No Connection", "Check your internet connection, then try again."),
    ])
  func languages(tag: String, title: String, advice: String) {
    let shown = FieldError(.offline, "for a log").localized(in: TextLanguage(rawValue: tag))
    #expect(shown.errorDescription == title)
    #expect(shown.recoverySuggestion == advice)
    #expect("\(shown)".hasPrefix(title + ": ") && "\(shown)".hasSuffix(" " + advice))
  }

  @Test("what an error shows can be worded by the app")
  func catalog() {
    let slovak = TextLanguage(rawValue: "sk")
    let catalog = TextCatalog([slovak: ["error.transport.offline.title": "Bez pripojenia"]])
    let shown = FieldError(.offline, "").localized(in: slovak, catalog: catalog)
    #expect(shown.errorDescription == "Bez pripojenia")
    #expect(shown.failureReason == "The device is offline, or the server can't be reached.")
  }

  @Test("what an error shows is in English where Foundation asks")
  func protocols() {
    let error: any LocalizedError = FieldError(.diskFull, "the store is full")
    #expect(error.errorDescription == "the store is full")
    #expect(error.failureReason == "There isn't enough storage left on the device.")
    #expect(error.recoverySuggestion == "Free up storage on the device, then try again.")
  }

  @Test("what an error shows comes from its code's table, and a decoded error has the same code")
  func ownCodes() throws {
    let code = FieldError.Code.treeFelled
    #expect(code.guidance.title.string() == "Tree Felled")
    #expect(FieldError(code, "").isRetryable == false)
    let decoded = try JSONDecoder().decode(
      [FieldError.Code].self, from: JSONEncoder().encode([code, .offline]))
    #expect(decoded == [code, .offline])
    #expect(Set(decoded + [code]).count == 2)
    #expect(decoded[0].guidance.title.string() == "Something Went Wrong")
    #expect(decoded[1].guidance == FieldError.Code.offline.guidance)
  }

  @Test(
    "what an error of an unknown code shows is general, and its group follows from the namespace",
    arguments: [
      ("transport.new", FieldError.Group.network), ("store.new", .device), ("input.new", .caller),
      ("zebras.new", .source), ("", .source),
    ])
  func unknown(code: String, group: FieldError.Group) {
    let guidance = FieldError.Code(rawValue: code).guidance
    #expect(guidance.group == group)
    #expect(!guidance.isRetryable)
    #expect(guidance.title.string(in: .korean) == "오류 발생")
  }
}

@Suite("Whether to retry")
struct RetryableErrorTests {
  @Test(
    "whether to retry an error depends on its status",
    arguments: [
      (400, false), (401, false), (403, false), (408, true), (425, true), (429, true),
      (500, true), (501, false), (502, true), (503, true), (504, true),
    ])
  func statuses(status: Int, isRetryable: Bool) {
    let error = FieldError(.status, "", response: .init(status: status))
    #expect(error.isRetryable == isRetryable)
  }

  @Test("whether to retry has one answer: what a transport retries is retryable")
  func policy() {
    let policy = RetryPolicy.default
    #expect(policy.codes.allSatisfy { $0.guidance.isRetryable && $0.guidance.group == .network })
    #expect(policy.statuses.allSatisfy(FieldError.isTemporary))
    #expect(FieldError.Code.offline.guidance.isRetryable)
    #expect(!FieldError(.invalidInput, "").isRetryable)
  }
}

@Suite("The description of an error")
struct FieldErrorDescriptionTests {
  @Test(
    "the description of an error contains the problems and the underlying reason, each once",
    arguments: [
      (FieldError(.io, "a"), "a"),
      (FieldError(.io, "A sentence."), "A sentence."),
      (FieldError(.invalidInput, "no box", problems: ["1", "2."]), "no box: 1; 2"),
      (FieldError(.invalidInput, "No box.", problems: ["1"]), "No box: 1."),
      (FieldError(.invalidInput, "no box: 1", problems: ["1"]), "no box: 1"),
      (
        FieldError(.io, "A can't be read.", underlying: FieldError(.cut, "It ends early.")),
        "A can't be read (It ends early)."
      ),
      (
        FieldError(.io, "a", underlying: FieldError(.io, "b", underlying: FieldError(.io, "c"))),
        "a (b (c))"
      ),
      (FieldError(.io, "a: b", underlying: FieldError(.io, "b")), "a: b"),
      (FieldError(.io, "a", problems: ["p"], underlying: FieldError(.io, "b")), "a: p (b)"),
    ])
  func parts(error: FieldError, text: String) {
    #expect(error.errorDescription == text)
  }

  @Test("the description of an error of a file names the path and the reason")
  func files() {
    let text = "the store can't be opened (open of /a/b.store: Permission denied (13))"
    let error = FileSystemError(13, call: "open", path: "/a/b.store")
    #expect(error.fieldError("the store can't be opened").errorDescription == text)
  }

  @Test("the description of an error names the path of a file that Foundation can't read, and why")
  func foundation() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    let cause = try #require(throws: CocoaError.self) {
      _ = try Data(contentsOf: URL(filePath: path))
    }
    let text = try #require(FieldError(.io, "not read", underlying: cause).errorDescription)
    #expect(text == "not read (\(path): No such file or directory (2))")
  }

  @Test("the description of an error hides control characters and the secrets of addresses")
  func secrets() throws {
    struct Foreign: Error, CustomStringConvertible {
      let description = "no answer from https://me:pw@a.example/x?token=s3cret&y=1 \u{1B}[31m"
    }
    let text = FieldError(.transport, "failed", underlying: Foreign()).errorDescription
    #expect(
      text == "failed (no answer from https://***@a.example/x?token=***&y=1 \\u{1B}[31m)")
  }

  @Test(
    "a description contains the text of a transport's own error, even if its type describes nothing"
  )
  func ownText() {
    struct Refused: Error { var reason = "no route to the gateway" }
    enum Gateway: Error { case down(Int, String) }
    let cases: [(any Error, String)] = [
      (Refused(), "Refused(reason: \"no route to the gateway\")"),
      (Gateway.down(7, "maintenance"), "down(7, \"maintenance\")"),
    ]
    for (error, text) in cases {
      let shown: any Error = FieldError(.transport, "It failed.", underlying: error)
      #expect(shown.localizedDescription == "It failed (\(text)).")
    }
  }

  @Test("the description of an error leaves out values without words")
  func silent() {
    struct Silent: Error { var number = 1 }
    #expect(FieldError(.io, "failed", underlying: Silent()).errorDescription == "failed")
  }
}

extension FieldError.Code {
  fileprivate static var treeFelled: Self { Self(rawValue: "trees.felled") { treeGuidance } }
}

private let treeGuidance: [FieldError.Code: FieldError.Guidance] = [
  .treeFelled: FieldError.Guidance(
    for: .treeFelled, group: .source, isRetryable: false,
    title: [.english: "Tree Felled"], reason: [.english: "The tree was felled."],
    advice: [.english: "Choose another tree."])
]
