import FieldFirestore
import FieldKit
import FieldTesting
import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Every error code that the sources declare")
struct ErrorGuidanceTests {
  struct Declaration: Sendable, CustomTestStringConvertible {
    var code: String
    var table: String

    var testDescription: String { code }
  }

  private static let tables: [String: [FieldError.Code: FieldError.Guidance]] = [
    "ArchiveGuidance": ArchiveGuidance.table,
    "FieldError.Guidance.core": FieldError.Guidance.core, "CivicGuidance": CivicGuidance.table,
    "FirestoreGuidance": FirestoreGuidance.table, "MetroGuidance": MetroGuidance.table,
    "PortalGuidance": PortalGuidance.table, "RedirectGuidance": RedirectGuidance.table,
    "StubGuidance": StubGuidance.table, "TransitGuidance": TransitGuidance.table,
    "WalkGuidance": WalkGuidance.table,
    "XMLGuidance": XMLGuidance.table, "ZooGuidance": ZooGuidance.table,
  ]

  /// The declarations in the sources, and the names of those that can't be read.
  private static let (declarations, unread): ([Declaration], [String]) = {
    var declarations: [Declaration] = []
    var unread: [String] = []
    let sources = SharedData.root.appending(path: "Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    for file in files ?? [] where file.hasSuffix(".swift") {
      guard let text = try? String(contentsOf: sources.appending(path: file), encoding: .utf8)
      else { continue }
      for block in text.components(separatedBy: "\nextension ") + ["\n" + text]
      where block.hasPrefix("FieldError.Code {") || block.hasPrefix("\nextension FieldError.Code {")
      {
        let block = block.components(separatedBy: "\n}\n")[0]
        let helper = #/func guided\(.*\) -> Self \{\s*Self\(rawValue: \w+\) \{ (\w+)\.table \}/#
        let shared = block.firstMatch(of: helper).map { String($0.1) }
        for member in block.components(separatedBy: "public static var ").dropFirst() {
          let form = #/\w+: Self \{\s*Self\(rawValue: "([\w.]+)"\)(?: \{ (\w+)\.table \})?\s*\}/#
          let short = #/\w+: Self \{ guided\("([\w.]+)"\) \}/#
          if let match = member.prefixMatch(of: form) {
            declarations.append(
              Declaration(
                code: String(match.1),
                table: match.2.map { String($0) } ?? "FieldError.Guidance.core"))
          } else if let shared, let match = member.prefixMatch(of: short) {
            declarations.append(Declaration(code: String(match.1), table: shared))
          } else {
            unread.append("\(file): \(member.prefix(40))")
          }
        }
      }
    }
    return (declarations, unread)
  }()

  @Test("every error code that is declared is found by the tests of guidance")
  func found() {
    #expect(Self.unread.isEmpty)
    #expect(Self.declarations.count >= 100)
    #expect(Set(Self.declarations.map(\.code)).count == Self.declarations.count)
    #expect(
      Self.tables.values.map(\.count).reduce(0, +) == Self.declarations.count,
      "a table has a code that isn't declared")
  }

  @Test(
    "every error code has a title, a reason, and advice in three languages", arguments: declarations
  )
  func strings(declaration: Declaration) throws {
    let code = FieldError.Code(rawValue: declaration.code)
    let guidance = try #require(
      Self.tables[declaration.table]?[code], "add a row to \(declaration.table)")
    for (text, part) in [
      (guidance.title, "title"), (guidance.reason, "reason"), (guidance.advice, "advice"),
    ] {
      #expect(text.key == "error.\(code).\(part)")
      let words = [TextLanguage.english, .traditionalChinese, .korean].map {
        text.templates[$0]?.other ?? ""
      }
      let isASCII = words.map { word in word.utf8.allSatisfy { $0 < 0x80 } }
      #expect(isASCII == [true, false, false], "\(words)")
      #expect(words[1].unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) })
      #expect(!words[1].unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
      #expect(words[2].unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
      let ends = part == "title" ? [false, false, false] : [true, true, true]
      #expect(zip(words, [".", "。", "."]).map { $0.hasSuffix($1) } == ends, "\(words)")
    }
  }

  @Test("an error code knows its table, also by the name that a server sends")
  func tables() {
    #expect(FieldError.Code.zooEmptyTable.guidance.title.string() == "No Data from the Zoo")
    #expect(FieldError.Code.noRoute.guidance.group == .caller)
    #expect(FieldError.Code.sodaStale.guidance.isRetryable)
    #expect(FieldError.Code.xmlLimit.guidance.group == .source)
    #expect(FieldError.Code.tooManyRedirects.guidance.group == .source)
    #expect(FieldError.Code.firestoreUnavailable.guidance.isRetryable)
    #expect(FieldError.Code.tokenRefused.guidance.advice.string() == "Sign in again.")
  }
}
