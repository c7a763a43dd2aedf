import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("JSON rows")
struct JSONRowsTests {
  private func first(_ row: String) throws -> String? {
    try rows(Array("[\(row)]".utf8), ["a"]) { $0.text(0) }.first ?? nil
  }

  @Test(
    "JSON rows return the text of a cell unchanged",
    arguments: [
      (#"{"a":"x"}"#, "x"), (#"{"a":" x "}"#, " x "), (#"{"a":21}"#, "21"),
      (#"{"a":-1.50E+2}"#, "-1.50E+2"), (#"{"a":true}"#, "true"), (#"{"a":false}"#, "false"),
      (#"{"a":null}"#, nil), (#"{"a":""}"#, nil), (#"{"a":"  \t\n"}"#, nil),
      (#"{"a":"null"}"#, nil),
      (#"{"a":" null "}"#, nil), (#"{"a":"Null"}"#, "Null"), (#"{"a":"nullable"}"#, "nullable"),
      (#"{"a":"　"}"#, nil), (#"{"a":"\u3000\u00a0"}"#, nil), (#"{"a":[1]}"#, nil),
      (#"{"a":{}}"#, nil), (#"{"b":1}"#, nil), ("{}", nil),
      (#"{"a":"\"\\\/\b\f\n\r\t"}"#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#"{"a":"\u0041\u00e9\u77f3"}"#, "Aé石"),
      (#"{"a":"\ud83d\ude00!"}"#, "😀!"), (#"{"a":"\uD83D\uDE00\uD83D\uDE00"}"#, "😀😀"),
      (#"{"a":"\u0000"}"#, "\0"), (#"{"a":"石虎"}"#, "石虎"), (#"{"\u0061":"key"}"#, "key"),
      (#"{"a":1,"a":2}"#, "2"), (#"{"a":1,"a":null}"#, nil), (#"{ "a" : 1 , "b" : [ ] }"#, "1"),
    ] as [(String, String?)])
  func text(_ row: String, _ expected: String?) throws {
    #expect(try first(row) == expected)
  }

  @Test(
    "JSON rows find a key regardless of case, accents, and spaces, and an exact one first",
    arguments: [
      (#"{"A":1}"#, "1"), (#"{"\uFEFFa":1}"#, "1"), (#"{" a ":1}"#, "1"), (#"{"a":1,"A":2}"#, "1"),
      (#"{"A":1,"a":2}"#, "2"), (#"{"A":1," a":2}"#, "2"), (#"{":a":1}"#, nil), (#"{"aa":1}"#, nil),
      ("{\"ａ\":1}", "1"), ("{\"Ａ\u{3000}\":1,\"b\":2}", "1"),
      ("{\"\u{FEFF}A \":1}", "1"),
    ] as [(String, String?)])
  func keys(_ row: String, _ expected: String?) throws {
    #expect(try first(row) == expected)
  }

  @Test("JSON rows keep system names separate from the others")
  func systemNames() throws {
    let bytes = Array(#"[{":id":"row-a","id":"1"},{"id":"2",":id":"row-b"}]"#.utf8)
    let both = try rows(bytes, ["id", ":id"]) { [$0.text(0), $0.text(1)] }
    #expect(both == [["1", "row-a"], ["2", "row-b"]])
  }

  @Test("JSON rows prefer the usual name of a column to its others")
  func aliases() throws {
    let batch = try stones(
      #"[{"id":1,"mass (g)":1,"mass":2},{"id":2,"mass":2,"mass (g)":1},{"id":3,"MASS (G)":5}]"#)
    #expect(batch.records.map(\.mass) == [2, 2, 5])
  }

  @Test("JSON rows may have keys in another order, fewer or more, in every row")
  func orders() throws {
    let bytes = Array(
      (0..<300).map { index in
        let members = (0..<90).filter { ($0 * 7 + index) % 3 > 0 }.map {
          "\"key\($0)\":\(index + $0)"
        }
        let turn = members.count > 0 ? index % members.count : 0
        return "{" + (members[turn...] + members[..<turn]).joined(separator: ",") + "}"
      }.joined(separator: "\n").utf8)
    let columns = (0..<90).map { "key\($0)" }
    var index = 0
    _ = try RowReader.forEachRow(of: bytes, columns: columns.map { RowColumn($0) }, key: 0) { row in
      for column in 0..<90 {
        let expected = (column * 7 + index) % 3 > 0 ? index + column : nil
        #expect(row.integer(column) == expected)
      }
      index += 1
    }
    #expect(index == 300)
  }

  @Test("JSON rows distinguish keys with a common prefix")
  func prefixes() throws {
    let names = [
      "a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnoq",
    ]
    let members = names.enumerated().map { "\"\($1)\":\($0)" }
    let text =
      "[{\(members.joined(separator: ","))},{\(members.reversed().joined(separator: ","))}]"
    let values = try rows(Array(text.utf8), names) { row in names.indices.map { row.integer($0) } }
    #expect(values == [Array(0..<7), Array(0..<7)])
  }

  @Test(
    "JSON rows that aren't objects fail individually",
    arguments: ["1", "null", "\"text\"", "[1,2]", "[]", "true", "-0.5e3"])
  func noObject(_ element: String) throws {
    let batch = try stones("[{\"id\":1},\(element),{\"id\":3}]")
    #expect(batch.records.map(\.id) == ["1", "3"])
    #expect(batch.failures.map(\.index) == [1])
    #expect(batch.failures.first?.excerpt == element)
  }

  @Test(
    "JSON rows with broken syntax are a broken body, with the position",
    arguments: [
      ("[{\"id\":1}{\"id\":2}]", 9), ("[{id:1}]", 2), ("[{\"id\":1}] x", 11),
      ("[{\"id\":1}]<?xml version=\"1.0\"?>", 10), ("[{\"id\":1},\u{e9}]", 10),
      ("[{\"id\" 1}]", 7), ("[{\"x\":\"a\"b\"}]", 9), ("[{\"x\":1 2}]", 8),
      ("[{\"x\":1,,\"y\":2}]", 8),
      ("[{\"x\":[1}]}]", 8), ("[{\"x\":\"a\nb\"c\"}]", 8), ("[{\"id\":1]", 8), ("[{,}]", 2),
      ("[{\"x\":tru<br>}]", 9), ("{\"data\":[{\"id\":1}],\"n\":tru}", 26),
    ])
  func broken(_ text: String, _ offset: Int) {
    let error = failure { _ = try stones(text) }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("byte \(offset)") == true, "\(error?.message ?? "no error")")
  }

  /// Rows that break the rules of JSON in their tokens, but not in their structure.
  private static let brokenRows = [
    #"{"id":7,"x":01}"#, #"{"id":7,"x":+1}"#, #"{"id":7,"x":.5}"#, #"{"id":7,"x":1.}"#,
    #"{"id":7,"x":0x1F}"#, #"{"id":7,"x":1e}"#, #"{"id":7,"x":-}"#, #"{"id":7,"x":5kg}"#,
    #"{"id":7,"x":None}"#, #"{"id":7,"x":True}"#, #"{"id":7,"x":undefined}"#, #"{"id":7,"x":tru}"#,
    #"{"id":7,"x":}"#, #"{"id":7,"x":[1,,2]}"#, #"{"id":7,"x":[1,]}"#, #"{"id":7,"x":{"y":1,}}"#,
    #"{"id":7,}"#, #"{"id":7,"x":"C:\qed"}"#, #"{"id":7,"x":"it\'s"}"#,
    #"{"id":7,"x":"\u12"}"#, #"{"id":7,"x":"\x41"}"#, "{\"id\":7,\"x\":\"a\tb\"}",
    "{\"id\":7,\"x\":\"a\r\nb\"}", #"{"id":7,"x":"\ud800"}"#, #"{"id":7,"\q":1}"#,
    #"{"id":7,"x":NaNs}"#, #"{"id":7,"x":-Infinit}"#,
  ]

  @Test("JSON rows with broken tokens fail individually in every format", arguments: brokenRows)
  func brokenTokens(_ row: String) throws {
    let feature = { (row: String) in "{\"type\":\"Feature\",\"properties\":\(row)}" }
    let (first, last) = ("{\"id\":1}", "{\"id\":3}")
    let bodies = [
      "[\(first),\(row),\(last)]", "[\(row), \(first) ,\n\(last)]",
      "{\"data\":[\(first),\(row),\(last)],\"total\":3}",
      "{\"features\":[\(feature(first)),\(feature(row)),\(feature(last))]}",
    ]
    for body in bodies {
      let batch = try stones(body)
      #expect(batch.records.map(\.id) == ["1", "3"], "\(body)")
      #expect(batch.failures.map(\.key) == ["7"], "\(body)")
      let bytes = Array(body.utf8)
      for length in 1..<bytes.count {
        let code = code { _ = try RowReader.read(Array(bytes[..<length]), as: RowStone.self) }
        #expect(code == .cut || code == .malformed, "\(body) cut at \(length)")
      }
    }
    if !row.contains("\r\n") {
      let lines = try stones("\(first)\n\(row)\n\(last)\n")
      #expect(lines.records.map(\.id) == ["1", "3"])
      #expect(lines.failures.map(\.key) == ["7"])
    }
  }

  @Test("JSON rows between commas without anything between these fail individually")
  func emptyRows() throws {
    let batch = try stones("[{\"id\":1},,{\"id\":3},]")
    #expect(batch.records.map(\.id) == ["1", "3"])
    #expect(batch.failures.map(\.index) == [1, 3])
  }

  @Test(
    "JSON rows have no number where a program wrote one that isn't finite, as Python reads them",
    arguments: ["NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf", "+Infinity", "NAN"])
  func nonFinite(_ word: String) throws {
    let isNaN = word.lowercased().hasSuffix("nan")
    for body in [
      "[{\"id\":1,\"mass\":\(word)},{\"id\":2,\"mass\":3}]",
      "{\"id\":1,\"mass\":\(word)}\n{\"id\":2,\"mass\":3}\n",
      "{\"rows\":[{\"id\":1,\"mass\":\(word)},{\"id\":2,\"mass\":3}]}",
      "[{\"id\":1,\"x\":[\(word),{\"y\":\(word)}],\"mass\":null},{\"id\":2,\"mass\":3}]",
    ] {
      let batch = try stones(body)
      #expect(batch.records == [RowStone(id: "1"), RowStone(id: "2", mass: 3)], "\(body)")
      #expect(batch.failures.isEmpty)
    }
    let body = Array("[{\"a\":\(word)},{\"a\":[\(word)]}]".utf8)
    let raw = try rows(body, ["a"]) { [$0.rawText(0), $0.json(0)?.canonicalText] }
    let json = isNaN ? "null" : "\"\(word)\""
    #expect(raw == [[isNaN ? nil : word, json], ["[\(word)]", "[\(json)]"]])
    #expect(code { try JSONDocument.validate(body) } == .malformed)
  }

  @Test(
    "JSON rows with broken tokens are those that Python can't read alone",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func pythonRows() throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let tokens = [
      "1", "-2.5e3", "\"a\"", "\"\\u00e9\"", "null", "true", "NaN", "-Infinity", "Infinity", "01",
      "+1", ".5",
      "None", "\"\\q\"", "\"a\tb\"", "", "[1,2]", "[1,]", "{\"y\":NaN}", "{\"y\":1,}", "nul", "1.",
      "[NaN]",
    ]
    let bodies = (0..<Sample.rounds(2_000, 300, inDebug: 100)).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { index in
        "{\"id\":\(index),\"x\":\(tokens.randomElement(using: &random) ?? ""),\"mass\":1}"
      }
    }
    let script = """
      import json, sys
      def reads(row):
          try: json.loads(row); return '1'
          except ValueError: return '0'
      for line in sys.stdin: print(''.join(map(reads, json.loads(line))))
      """
    let input = try bodies.map { try JSONSerialization.data(withJSONObject: $0) + [0x0A] }
    let answer = try Tool.run("python3", "-c", script, input: Data(input.joined()))
    let verdicts = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(verdicts.count == bodies.count)
    for (body, verdict) in zip(bodies, verdicts) {
      let batch = try stones("[" + body.joined(separator: ",") + "]")
      let failed = verdict.enumerated().filter { $0.element == "0" }.map(\.offset)
      #expect(batch.failures.map(\.index) == failed, "seed \(seed): \(body)")
      #expect(batch.records.allSatisfy { $0.mass == 1 })
    }
  }

  @Test("JSON rows provide nested values whole")
  func nested() throws {
    let text = #"[{"a":{"type":"Point","coordinates":[6.1,-5e1],"type":"Last","e":{},"f":[]}}]"#
    let value = try #require(try rows(Array(text.utf8), ["a"]) { $0.json(0) }.first ?? nil)
    #expect(value["type"] == .string("Last"))
    #expect(value["coordinates"]?.elements?.map(\.double) == [6.1, -50])
    #expect(value["e"] == .object([]))
    #expect(value["f"] == .array([]))
    #expect(value["nothing"] == nil)
    let raw = try rows(Array(text.utf8), ["a"]) { [$0.rawText(0), $0.text(0)] }
    #expect(raw.first == [String(text.dropFirst(6).dropLast(2)), nil])
    let flat = try rows(Array(#"[{"a":"\u0041"},{"a":null},{"a":true},{"a":7},{}]"#.utf8), ["a"]) {
      $0.json(0)
    }
    #expect(flat == [.string("A"), .null, .bool(true), .number("7"), nil])
  }

  @Test("JSON rows provide the bytes of a cell without and with escapes")
  func bytes() throws {
    let text = #"[{"a":"plain"},{"a":"esc\u0061ped"},{"a":12},{"a":null},{"a":" "}]"#
    let lent = try rows(Array(text.utf8), ["a"]) { row in
      row.withUTF8(0) { bytes in bytes.indices.map { bytes[$0] } }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(lent == ["plain", "escaped", "12", nil, nil])
    let present = try rows(Array(text.utf8), ["a"]) { $0.isPresent(0) }
    #expect(present == [true, true, true, false, false])
  }

  @Test("JSON rows are limited in depth, and deep ones need no stack")
  func depth() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    let deepest = "[{\"id\":1,\"x\":\(nested(126))}]"
    #expect(try stones(deepest).records.count == 1)
    let value = try rows(Array(deepest.utf8), ["x"]) { $0.json(0) }
    #expect(value.first??.elements?.count == 1)
    #expect(code { _ = try stones("[{\"id\":1,\"x\":\(nested(127))}]") } == .malformed)
    #expect(code { _ = try stones(String(repeating: "[", count: 2_000_000)) } == .malformed)
    #expect(
      code { _ = try stones(String(repeating: "{\"a\":", count: 400_000)) } == .malformed)
  }

  @Test(
    "JSON rows of any allowed depth can be compared, hashed, and written on a task's stack",
    arguments: [("[", "]", 128), ("{\"a\":", "}", 128)])
  func smallStack(open: String, close: String, depth: Int) throws {
    let text =
      String(repeating: open, count: depth) + (open == "[" ? "" : "1")
      + String(repeating: close, count: depth)
    let written = try onSmallStack {
      let value = try JSONDocument.value(Array(text.utf8))
      #expect(try value == JSONDocument.value(Array(text.utf8)))
      return Set([value]).map(\.canonicalText)
    }
    #expect(written == [text])
  }

  @Test("rows of NDJSON fail individually if a line isn't an object")
  func badLine() throws {
    let batch = try stones(
      "{\"id\":1}\n{\"id\":\n{\"id\":3,}\n\n \r\n[1]\nfoo\n{\"id\":4} x\n{\"id\":\"a\tb\"}\n{\"id\":5}\r\n"
    )
    #expect(batch.format == .ndjson)
    #expect(batch.records.map(\.id) == ["1", "5"])
    #expect(batch.failures.map(\.index) == [1, 2, 3, 4, 5, 6])
    #expect(batch.failures[0].excerpt == "{\"id\":")
    #expect(batch.failures[4].key == "4")
  }

  @Test(
    "JSON rows may be objects over several lines, one or many, but truncated ones aren't read",
    arguments: [
      "{\n  \"id\": 1,\n  \"name\": \"A\"\n}", "\r\n{\r\n\"id\":1,\r\n\"name\":\"A\"}\r\n",
      "{\"id\":1,\n\"name\":\"A\"}\n", "{\n\"x\": [\n1,\n{\n}\n],\n\"name\":\"A\",\"id\":1}",
    ])
  func spreadObjects(_ text: String) throws {
    let one = RowStone(id: "1", name: "A")
    #expect(try stones(text).records == [one])
    let two = try stones(text + "\n\n" + text + "\n{\"id\":1,\"name\":\"A\"}\n")
    #expect(two.records == [one, one, one])
    #expect(two.failures.isEmpty)
    let bytes = Array(text.utf8)
    for length in bytes.count / 2..<bytes.count - 3 {
      #expect(code { _ = try stones(String(decoding: bytes[..<length], as: UTF8.self)) } == .cut)
    }
    #expect(code { _ = try stones(text + "\n{\n\"id\":2,\n\"na") } == .cut)
  }

  @Test("rows of NDJSON may begin with a broken line, and never span a line's end")
  func firstLineBroken() throws {
    let batch = try stones("{\"id\":1,\"x\":[\n{\"id\":2}\n{\"id\":3}")
    #expect(batch.records.map(\.id) == ["2", "3"])
    #expect(batch.failures.map(\.index) == [0])
  }

  @Test(
    "rows of a broken envelope are never mistaken for lines",
    arguments: [
      "{\"data\":[\n{\"id\":1}\n,{\"id\" 2}\n]}", "{\"data\":[\n{\"id\":1},\n{\"id\" 2}\n]}",
      "{\"data\":[{\"id\":1}\n,{\"id\":2}],}",
    ])
  func brokenEnvelope(_ text: String) {
    #expect(code { _ = try stones(text) } == .malformed)
  }
}
