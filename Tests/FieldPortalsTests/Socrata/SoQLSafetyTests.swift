import FieldCore
import Foundation
import FieldPortals
import TestSupport
import Testing

@Suite("SoQL can't be injected", .heavy)
struct SoQLSafetyTests {
  private static let nasty = [
    "'", "''", "\\", "\\'", "--", "/*", "*/", ";", "&", "+", "=", "%", "#", "?", "\"", "`", "(",
    ")",
    ",", "\n", "\r", "\t", "\0", " ", "OR", "AND", "1=1", "$where", "|>", "UNION", "é", "e\u{301}",
    "'\u{301}", "\u{2028}", "臺", "🌠", "\u{FF07}", "\u{FEFF}", "\u{202E}", "a", "Z", "0", "-", "_",
    ":", ":@", "*", "'; DROP TABLE meteorites; --", "') OR 1=1 --", "\u{7F}", "\u{10FFFF}",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      nasty.randomElement(using: &generator) ?? ""
    }.joined()
  }

  @Test("a text is parsed as one string, and nothing around it changes", arguments: [1, 2, 3])
  func texts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func query(_ text: String) -> SoQL.Query {
      let name = SoQL.column("name")
      return SoQL.Query(
        select: [.init(SoQL.Expression.call("coalesce", name, .value(.text(text))), named: "n")],
        where: name == .text(text) && name.isIn([.text(text), "b"]) || name.like(.text(text)),
        having: name.contains(.text(text)) && name > .fixedTimestamp(verbatim: text),
        order: [SoQL.Expression.value(.geometry(text)).descending], search: text)
    }
    let plain = try SoQLLexer.tokens(query("x").statement)
    for _ in 0..<Sample.rounds(500, 500, inDebug: 200) {
      let text = Self.text(&generator)
      let tokens = try SoQLLexer.tokens(query(text).statement)
      let expected = plain.map { $0 == .string("x") ? SoQLLexer.Token.string(text) : $0 }
      #expect(tokens == expected, "seed \(seed), text \(text.debugDescription)")
      // Strings are equal to Swift when they look the same; here the bytes have to be.
      for case (.string(let read), .string(let meant)) in zip(tokens, expected) {
        #expect(Array(read.utf8) == Array(meant.utf8), "seed \(seed), \(text.debugDescription)")
      }
    }
  }

  @Test("a name in the source code stays one name, whatever it contains", arguments: [4, 5])
  func names(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func query(_ name: SoQL.Column) -> SoQL.Query {
      SoQL.Query(
        select: [.column(name), SoQL.Expression.count.named(name)],
        where: SoQL.column(name) == 1, group: [.call(name, .column(name))],
        order: [SoQL.column(name).ascending])
    }
    func isName(_ token: SoQLLexer.Token) -> Bool {
      switch token {
      case .quotedName, .systemName: true
      case .word(let word): word == "x"
      default: false
      }
    }
    let plain = try SoQLLexer.tokens(query("x").statement).map { isName($0) ? nil : $0 }
    var refused = 0
    for _ in 0..<500 {
      let text = Self.text(&generator)
      let column = SoQL.Column(stringLiteral: text)
      let tokens = try SoQLLexer.tokens(query(column).statement)
      let shape = tokens.map { isName($0) || $0 == .word(column.name) ? nil : $0 }
      #expect(shape == plain, "seed \(seed), name \(text.debugDescription)")
      if (try? SoQL.Column(text)) == nil { refused += 1 } else { #expect(column.name == text) }
    }
    #expect(refused > 400)
  }

  @Test("parameters keep their number and their values in a URL", arguments: [6, 7])
  func addresses(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let text = Self.text(&generator) + "x"
      let query = SoQL.Query(
        where: SoQL.column("name") == .text(text), search: text,
        filters: [SoQL.Filter("name", equals: .text(text))])
      let pairs = query.queryText.split(separator: "&").map {
        $0.split(separator: "=", omittingEmptySubsequences: false).map(PercentEncoding.decoded)
      }
      let expected = query.parameters().map { [$0.name, $0.value] }
      #expect(pairs == expected, "seed \(seed), text \(text.debugDescription)")
      #expect(pairs.map { Array($0[1].utf8) } == expected.map { Array($0[1].utf8) })
      #expect(expected.count == 3)
      #expect(
        query.queryText.utf8.allSatisfy {
          isalnum(Int32($0)) != 0 && $0 < 128 || "-._~%&=".utf8.contains($0)
        })
    }
  }

  @Test(
    "names are checked at run time",
    arguments: [
      ("mass", "mass"), (":id", ":id"), (":@computed_region_x", ":@computed_region_x"),
      ("_a1", "_a1"), ("my-column", "`my-column`"), ("Order", "`Order`"), ("union", "`union`"),
      (":my-field", "`:my-field`"), ("-", "`-`"),
    ])
  func goodNames(name: String, printed: String) throws {
    #expect(try SoQL.Column(name).description == printed)
    #expect(try SoQLLexer.tokens(printed).count == 1)
  }

  @Test(
    "an invalid name is rejected at run time, and harmless in source code",
    arguments: [
      ("", "`-`"), ("1a", "`-1a`"), ("a b", "`a-b`"), ("a`b", "`a-b`"), ("é", "`-`"), (":", "`:-`"),
      ("a'--", "`a---`"), ("@table", "`-table`"), ("mass) OR (1", "`mass--OR--1`"), ("a\0", "`a-`"),
      ("a\u{301}", "`a-`"), ("::id", "`:-id`"), (":@", "`:@-`"), ("*", "`-`"),
    ])
  func badNames(name: String, printed: String) throws {
    let error = #expect(throws: FieldError.self) { try SoQL.Column(name) }
    #expect(error?.code == .invalidInput)
    #expect(SoQL.Column(stringLiteral: name).description == printed)
    #expect(try SoQLLexer.tokens(printed).count == 1)
  }

  @Test("invalid numbers are rejected")
  func numbers() throws {
    for number in [Double.nan, .infinity, -.infinity] {
      let error = #expect(throws: FieldError.self) { try SoQL.Value.number(number) }
      #expect(error?.code == .invalidInput)
    }
    for text in [
      "", "-", "1.", ".5", "+1", "1e", "1e+", "0x10", "1 ", "1--", "inf", "nan", "１", "1'",
    ] {
      #expect(throws: FieldError.self, "\(text)") { try SoQL.Value.number(exactly: text) }
    }
    for text in ["0", "-1", "78.400000000000006", "1e-20", "-2.5E+7", "00"] {
      #expect(try SoQL.Value.number(exactly: text).description == text)
    }
    #expect(try SoQL.Value.number(1e300).description == "1e+300")
    #expect(try SoQL.Value.number(-0.0).description == "0")
    #expect(try SoQL.Value.number(0.1).description == "0.1")
    #expect(try SoQL.Value.number(0x1p53).description == "9007199254740992.0")
  }
}
