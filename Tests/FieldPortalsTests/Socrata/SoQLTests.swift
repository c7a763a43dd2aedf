import FieldCore
import Foundation
import FieldTesting
import TestSupport
import Testing

@testable import FieldFakes
@testable import FieldPortals

@Suite("SoQL", .heavy)
struct SoQLTests {
  private static let nasty = [
    "'", "''", "\\", "\\'", "--", "/*", "*/", ";", "&", "+", "=", "%", "#", "?", "\"", "`", "(",
    ")", ",", " ", "OR",
    "AND", "1=1", "$where", "|>", "UNION", "é", "e\u{301}", "'\u{301}", "\u{2028}", "臺", "🌠",
    "\u{FF07}", "\u{FEFF}",
    "\u{202E}", "a", "Z", "0", "-", "_", ":", ":@", "*", "'; DROP TABLE meteorites; --",
    "') OR 1=1 --", "\u{10FFFF}",
  ]

  private static func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
      nasty.randomElement(using: &generator) ?? ""
    }.joined()
  }

  /// The condition as the fake portal reads it, with a lexer and a parser of its own.
  private static func parsed(_ condition: SoQL) throws -> FakeSoQLExpression {
    var parser = try FakeSoQLParser(try condition.checked())
    let tree = try parser.expression()
    try parser.expect(.end)
    return tree
  }

  @Test("Values are printed in the forms that the portal's parser reads")
  func values() throws {
    let (day, date) = (try CalendarDay("1880-01-01"), Date(timeIntervalSince1970: 1_446_143_734))
    let decimal = try #require(Decimal(string: "78.400000000000006"))
    let printed: [(SoQL, String)] = [
      ("mass >= \(1000) AND fall = \("Fell")", "mass >= 1000 AND fall = 'Fell'"),
      ("name = \("L'Aigle") OR name = \("a'b".dropFirst())", "name = 'L''Aigle' OR name = '''b'"),
      ("\(0.1) \(2.0) \(-0.0) \(1e300) \(Float(0.1))", "0.1 2 0 1e+300 0.1"),
      ("\(-1) - \(-2.5) -\(UInt8(3))", "(-1) - (-2.5) -3"),
      ("mass = \(decimal) AND ok = \(true)", "mass = 78.400000000000006 AND ok = true"),
      ("\(0x1p53) \(Int64.min)", "9007199254740992 (-9223372036854775808)"),
      ("year < \(day)", "year < '1880-01-01T00:00:00.000'"),
      (":updated_at > \(date)", ":updated_at > '2015-10-29T18:35:34.000Z'"),
      ("date > \(date, in: .taipei)", "date > '2015-10-30T02:35:34.000'"),
      (
        "fall IN \(["Fell", "it's"]) OR n NOT IN \([1, -2])",
        "fall IN ('Fell', 'it''s') OR n NOT IN (1, (-2))"
      ),
      (
        "n IN \([0.5]) OR year IN \([day].map { "\($0)" as SoQL })",
        "n IN (0.5) OR year IN ('1880-01-01T00:00:00.000')"
      ),
      ("\(column: "mass") > \(column: ":id")", "mass > :id"),
      ("plain", "plain"),
    ]
    for (query, text) in printed { #expect(try query.checked() == text) }
    #expect(SoQL("mass > \(1)") == "mass > 1")
    #expect(SoQL("name = \("é")") != SoQL("name = \("e\u{301}")"))
  }

  @Test("A fragment in another one is a unit, whatever is around it")
  func fragments() throws {
    let either: SoQL = "a = \(1) OR b = \(2)"
    let both: SoQL = "\(either) AND NOT \(either)"
    #expect(try both.checked() == "(a = 1 OR b = 2) AND NOT (a = 1 OR b = 2)")
    #expect(SoQL.all([]) == nil)
    #expect(SoQL.all([either]) == either)
    #expect(SoQL.all([either, "c", both])?.description == "(\(either)) AND (c) AND (\(both))")
    let query = SoQL.Query(
      select: "recclass, count(*) AS n", where: both, group: "recclass", having: "count(*) > \(10)",
      order: "n DESC", limit: -1, offset: 3)
    #expect(
      try query.statement()
        == "SELECT recclass, count(*) AS n WHERE \(both) GROUP BY recclass HAVING count(*) > 10 ORDER BY n DESC LIMIT 0 OFFSET 3"
    )
    #expect(
      try query.parameters().map(\.name) == [
        "$select", "$where", "$group", "$having", "$order", "$limit", "$offset",
      ])
    #expect(try SoQL.Query().statement() == "SELECT *")
    #expect(try SoQL.Query().parameters().isEmpty)
  }

  @Test("A text is parsed as one string, and nothing around it changes", arguments: [1, 2, 3])
  func texts(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func condition(_ text: String) -> SoQL {
      let part: SoQL = "starts_with(name, \(text)) OR name LIKE \(text)"
      return "name=\(text)AND NOT name IN \([text, "b"]) OR \(part) AND \(text)<>name"
    }
    func replaced(_ tree: FakeSoQLExpression, _ text: String) -> FakeSoQLExpression {
      switch tree {
      case .text("x", let position): .text(text, position)
      case .call(let name, let parts, let position):
        .call(name, parts.map { replaced($0, text) }, position)
      default: tree
      }
    }
    func texts(_ tree: FakeSoQLExpression) -> [String] {
      switch tree {
      case .text(let text, _): [text]
      case .call(_, let parts, _): parts.flatMap(texts)
      default: []
      }
    }
    let plain = try Self.parsed(condition("x"))
    #expect(texts(plain).count == 6)
    for _ in 0..<Sample.rounds(500, 500, inDebug: 200) {
      let text = Self.text(&generator)
      let tree = try Self.parsed(condition(text))
      let expected = replaced(plain, text)
      #expect(tree == expected, "seed \(seed), text \(text.debugDescription)")
      // Strings are equal to Swift when they look the same; here the bytes have to be.
      #expect(
        texts(tree).map { Array($0.utf8) } == texts(expected).map { Array($0.utf8) },
        "seed \(seed), \(text.debugDescription)")
    }
  }

  @Test("Parameters keep their number and their values in a URL", arguments: [6, 7])
  func addresses(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Sample.rounds(300, 300, inDebug: 100) {
      let text = Self.text(&generator) + "x"
      let query = SoQL.Query(select: "\(text) AS a", where: "name = \(text)", order: "\(text)")
      let parameters = try query.parameters()
      let encoded = PercentEncoding.query(parameters)
      let pairs = encoded.split(separator: "&").map {
        $0.split(separator: "=", omittingEmptySubsequences: false).map(PercentEncoding.decoded)
      }
      #expect(
        pairs.map { $0.map { Array($0.utf8) } }
          == parameters.map { [Array($0.name.utf8), Array($0.value.utf8)] },
        "seed \(seed), text \(text.debugDescription)")
      #expect(parameters.count == 3)
      #expect(
        encoded.utf8.allSatisfy {
          isalnum(Int32($0)) != 0 && $0 < 128 || "-._~%&=".utf8.contains($0)
        })
    }
  }

  @Test(
    "A valid name is one name, in backticks if it needs them",
    arguments: [
      ("mass", "mass"), (":id", ":id"), (":@computed_region_x", ":@computed_region_x"),
      ("_a1", "_a1"), ("my-column", "`my-column`"), ("Order", "`Order`"), ("union", "`union`"),
      (":my-field", "`:my-field`"), ("-", "`-`"),
    ])
  func goodNames(name: String, printed: String) throws {
    #expect(try SoQL("\(column: name)").checked() == printed)
    #expect(try FakeSoQLLexer.tokens(printed).count == 2)
  }

  @Test(
    "An invalid name is refused before anything is sent",
    arguments: [
      "", "1a", "a b", "a`b", "é", ":", "a'--", "@table", "mass) OR (1", "a\0", "a\u{301}", "::id",
      ":@", "*",
    ])
  func badNames(name: String) throws {
    try expectRefusal("\(column: name) = 1", "isn't a column name")
  }

  @Test("A value that can't be part of a query is refused, with the reason")
  func refusals() throws {
    for text in ["a\nb", "\0", "\t", "\u{7F}", "\u{85}", "x\r"] {
      try expectRefusal("name = \(text)", "control character")
    }
    for number in [Double.nan, .infinity, -.infinity] {
      try expectRefusal("mass > \(number)", "finite")
      try expectRefusal("mass IN \([1, number])", "finite")
    }
    try expectRefusal("mass > \(Float.infinity)", "finite")
    try expectRefusal("mass > \(Decimal.nan)", "isn't a number")
    try expectRefusal("name IN \([] as [String])", "empty list")
    for seconds in [1e15, -1e15, .nan, .infinity] {
      try expectRefusal(":updated_at > \(Date(timeIntervalSince1970: seconds))", "years 1 to 9999")
    }
    let bad: SoQL = "name = \("\n")"
    try expectRefusal("\(bad) OR a = 1", "control character")
    try expectRefusal("a IN \([bad])", "control character")
  }

  @Test("A value inside of quotes or a comment is refused, because its own quotes would end them")
  func quotes() throws {
    let text = " OR 1=1 --"
    for query in [
      "name = '\(text)'", "name LIKE '%\(text)%'", "name = \"\(text)\"", "`\(text)` = 1",
      "a = 1 -- \(text)", "a = 1 /* \(text) */", "a = '''\(text)'", "a = \"\\\"\(text)\"",
      "a = 1 /*/ \(text) */",
    ] as [SoQL] {
      try expectRefusal(query, "inside of quotes or a comment")
    }
    for query in ["name = 'x", "a = 1 -- x", "a = 1 /* x", "a = \"x", "`a"] as [SoQL] {
      #expect(throws: FieldError.self) { try query.checked() }
      #expect(throws: FieldError.self) { try SoQL("\(query) AND b = \(1)").checked() }
    }
    for query in ["a = 1)", "(a = 1", "a = 1) OR (b = 2"] as [SoQL] {
      try expectRefusal("b = \(1) AND \(query)", "parenthesis")
    }
    for query in [
      "a = '(--' AND b = \(1)", "a = 1 -- ('\nAND b = \(1)", "a /* ' */ = \(1)",
      "a = '''' AND b = \(1)",
      "`a-b` = \(1)",
    ] as [SoQL] {
      #expect(throws: Never.self) { try query.checked() }
    }
  }

  @Test("A value never becomes a part of what is beside it")
  func neighbors() throws {
    let glued: [(SoQL, String)] = [
      ("a\("b")", "a 'b'"), ("a = 1\(5)", "a = 1 5"), ("'a'\("b")'c'", "'a' 'b' 'c'"),
      (":\(column: "id")", ": id"), ("\(5)e3", "5 e3"), ("\(column: "a")b", "a b"),
      ("\(5).5", "5 .5"),
    ]
    for (query, text) in glued { #expect(query.description == text) }
  }

  @Test("A query with a refused value sends nothing, in each version and for tables as well")
  func nothingSent() async throws {
    let transport = StubTransport { _ in }
    for version in [SODAVersion.v2_0, .v2_1, .v3] {
      let client = try SmallSODA.client(transport, version: version)
      let query = SoQL.Query(where: "name = \("a\0")")
      var pages = client.pages(query).makeAsyncIterator()
      let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
      #expect(error?.code == .invalidInput)
      await #expect(throws: FieldError.self) { _ = try await client.count(where: query.where) }
      for (key, condition) in [("id", query.where), ("a b", nil)] {
        let table = SODATable(client: client, key: key, where: condition, storage: .inMemory)
        let error = await #expect(throws: FieldError.self) { try await table.refresh() }
        #expect(error?.code == .invalidInput)
      }
    }
    #expect(transport.requests.isEmpty)
  }

  private func expectRefusal(_ query: SoQL, _ reason: String) throws {
    let error = #expect(throws: FieldError.self) { try query.checked() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }
}
