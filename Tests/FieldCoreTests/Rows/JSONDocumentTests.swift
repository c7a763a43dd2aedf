import FieldCore
import TestSupport
import Testing

@Suite("A JSON document")
struct JSONDocumentTests {
  static let good: [String] = [
    "[]", "{}", "null", "true", "false", "0", "-0", "1", "-1", "123", "0.5", "-0.5", "1e5", "1E5",
    "1e+5",
    "1e-5", "1.5e10", "0e1", "0e+1", "0.0", "-0.0e-0", "123456789012345678901234567890",
    "1e999", "-1e-999", "0.1e00000000000000000001", "\"\"", "\"a\"", "\" \"", "\"\\\"\"",
    "\"\\\\\"",
    "\"\\/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u001f\"", "\"\\uABCD\"", "\"\\uabcd\"",
    "\"\\u00e9\"", "\"\\ud834\\udd1e\"", "\"\\uD834\\uDD1E\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"é石😀\"",
    "\"\u{7F}\"", "\"\u{2028}\u{2029}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"/\"",
    "\"\\\\u0041\"", "[ ]", "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[\n1\r\n,\t2]", "[[]]", "[{}]",
    "[[],[]]",
    "[null,1,\"1\",{}]", "[1,[2,[3,[4]]]]", "[\"a\",\"b\"]", "{\"a\":1}", "{\"a\":1,\"b\":2}",
    "{\"a\":1,\"a\":2}", "{\"\":0}", "{\"a\":[]}", "{\"a\":{}}", "{\"a\":{\"b\":{\"c\":null}}}",
    "{ \"a\" : 1 }", "{\"a\\u0062\":1}", "{\"石\":\"虎\"}", " 1", "1 ", "\n[]\n", "\t{}\r\n",
    "\u{FEFF}[]",
    "[1.0,1.00,1.000]", "[-1,-1.5]", "[true,false,null]", "[\"\\u0060\\u012a\\u12AB\"]",
    "[\"asd \"]", "{\"x\":[{\"id\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}]}",
    "[[[[[[[[[[]]]]]]]]]]",
    String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
    String(repeating: "{\"a\":", count: 128) + "1" + String(repeating: "}", count: 128),
    String(repeating: "[{\"a\":", count: 64) + "1" + String(repeating: "}]", count: 64),
    "[" + String(repeating: "0,", count: 10_000) + "0]",
    "\"" + String(repeating: "x", count: 10_000) + "\"",
  ]

  static let bad: [String] = [
    "", " ", "\u{FEFF}", "\u{FEFF}\u{FEFF}[]", "[", "]", "{", "}", "[]]", "{}}", "[1", "[1,", "[,",
    "[,1]",
    "[1,]", "[1,,2]", "[1 2]", "[1;2]", "[1:2]", "[\"a\" \"b\"]", "[\"a\":1]", "{,}", "{1:1}",
    "{a:1}",
    "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\":1,}", "{\"a\":1 \"b\":2}",
    "{\"a\":1,,\"b\":2}",
    "{\"a\"::1}", "{\"a\",1}", "{\"a\":1]", "[1}", "{\"a\":[}", "[{]", "{\"a\":1}x", "[]x", "[][]",
    "{}{}", "1 2",
    "1,", "a", "nul", "nulL", "nulll", "Null", "NULL", "tru", "truee", "True", "fals", "False",
    "undefined",
    "NaN", "-NaN", "Infinity", "-Infinity", "inf", "+1", "+", "-", "--1", "- 1", "-a", "01", "-01",
    "00", "-00",
    "0x1", "0b1", "1_000", ".5", "-.5", "1.", "-1.", "1.e5", "0.e1", "1e", "1e+", "1e-", "1E",
    "1ea", "1e1.5",
    "1.5.5", "1e5e5", "1a", "1.a", "0123", "1 000", "٣", "１", "\"", "\"a", "\"\\\"", "\"\\",
    "\"\\x41\"",
    "\"\\a\"", "\"\\'\"", "\"\\0\"", "\"\\U0041\"", "\"\\u\"", "\"\\u1\"", "\"\\u12\"",
    "\"\\u123\"",
    "\"\\u123g\"", "\"\\u12 4\"", "\"\\u-123\"", "\"\\ud834\\u\"", "\"\\ud834\\udd1\"",
    "\"\\ud834\\x\"",
    "\"\n\"", "\"\t\"", "\"\r\"", "\"\0\"", "\"\u{1F}\"", "\"aaaaaaaaa\u{1}\"", "'a'", "\"a\"b",
    "“a”", "`a`",
    "/*c*/1", "1//c", "#c\n1", "[1]/**/", "\u{A0}[]", "[\u{A0}1]", "[]\u{3000}", "\u{2060}1",
    "\u{C}[]",
    "[]\u{B}", "\0[]", "[]\0", "[\0]", "{\"a\":/*c*/1}", "<null>", "(1)", "[1)", "{\"a\":1)", "*",
    "é",
    "[\"a\",\n4\n,1,", "[1,\n1\n,1", "{\"a\":\"b\"", "{\"a\":\"b\",\"c", "{\"a\":\"b\",\"c\":",
    "[[[[", "{\"\":",
    "[\"\\u00A\"]", "[\"\\{[\"\\{[\"\\{[\"\\{", "{[\"a\":1]}", "[1,\"a\"", "{\"a\":b}", "{b:\"c\"}",
    "{null:null}",
    "{\"id\":0,,,,,}", "{\"a\":\"a\" 123}", "[3[4]]", "[1:]", "[\"x\", truth]", "{}#", "[1]x",
    "abc", "[\\u0031]",
    String(repeating: "[", count: 129) + String(repeating: "]", count: 129),
    String(repeating: "[", count: 100_000), String(repeating: "[{\"\":", count: 50_000),
  ]

  /// Bytes that no text can spell.
  static let badBytes: [[UInt8]] = [
    [0xFF], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xE9, 0x22], [0x22, 0xC3, 0x22],
    [0x22, 0xE0, 0x80, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
    [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], [0x22, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22],
    [0x22, 0xE7, 0x9F, 0x22], [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0x5B, 0xC3, 0xA9, 0x5D],
    [0xEF, 0xBB, 0x7B, 0x7D], [0x22, 0x5C, 0xE9, 0x22], [0x22, 0x5C, 0x75, 0xE9, 0x22],
    [0x22, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0xFE, 0x22], [0x31, 0xE5, 0x31],
  ]

  @Test("a JSON document is accepted if it follows the grammar", arguments: good)
  func accepts(_ text: String) throws {
    try JSONDocument.validate(Array(text.utf8))
    // Shifted places meet the eight-byte steps at other offsets.
    for shift in 1..<9 where !text.hasPrefix("\u{FEFF}") {
      let spaces = shift.isMultiple(of: 2) ? "\r\n" : "\t "
      let bytes = Array((String(repeating: spaces, count: shift) + text).utf8)
      try JSONDocument.validate(bytes)
      #expect(try JSONDocument.value(bytes) == JSONDocument.value(Array(text.utf8)))
    }
  }

  @Test("a JSON document is rejected if it violates the grammar", arguments: bad)
  func refuses(_ text: String) {
    for shift in 0..<9 {
      let bytes = Array(
        (String(repeating: " ", count: shift) + text + (shift > 4 ? "\n" : "")).utf8)
      let error = code { try JSONDocument.validate(bytes) }
      #expect(error != nil, "after \(shift) spaces")
      #expect(code { _ = try JSONDocument.value(bytes) } != nil, "after \(shift) spaces")
    }
  }

  @Test(
    "a JSON document is rejected as empty without a value",
    arguments: ["", " ", "\u{FEFF}", "\n\t"])
  func empty(text: String) {
    #expect(code { try JSONDocument.validate(Array(text.utf8)) } == .emptyBody)
    #expect(code { _ = try JSONDocument.value(Array(text.utf8)) } == .emptyBody)
  }

  @Test("a JSON document is rejected if its bytes aren't UTF-8", arguments: badBytes)
  func refusesBytes(_ bytes: [UInt8]) {
    #expect(code { try JSONDocument.validate(bytes) } != nil)
  }

  @Test(
    "a JSON document is read after a byte-order mark and white space",
    arguments: [" ", "\n", "\r\n\t  ", ""])
  func leadingSpace(_ space: String) throws {
    let text = #"{"a":[1,"é😀"]}"#
    let expected = try JSONDocument.value(Array(text.utf8))
    #expect(expected["a"]?.elements == [.number("1"), .string("é😀")])
    for mark in ["", "\u{FEFF}"] {
      #expect(try JSONDocument.value(Array((mark + space + text + space).utf8)) == expected)
    }
  }

  @Test(
    "a JSON document is rejected inside a wrapper that only a browser removes",
    arguments: [
      ")]}',\n[1]", ")]}'\n{}", "while(1);[1]", "for(;;);{}", "/*-secure-*/[1]", "callback([1]);",
      "callback && callback({})", "var x = [1];", "[1]\u{1A}", "[1]\0", "[1]\n\u{1A}", "{}[]",
      "[1]\n[2]", "\u{1E}{}", "HTTP/1.1 200 OK\r\n\r\n[1]", "1,2",
      "\u{C}[1]",
      " \u{FEFF}[1]",
    ])
  func wrapped(_ text: String) {
    #expect(code { _ = try JSONDocument.value(Array(text.utf8)) } == .malformed)
    #expect(code { try JSONDocument.validate(Array(text.utf8)) } == .malformed)
    // The reader of rows removes some.
    let removed = [
      ")]}',\n[1]", "callback([1]);", "[1]\u{1A}", "[1]\n\u{1A}", "\u{1E}{}", " \u{FEFF}[1]",
    ]
    #expect((code { _ = try stones(text) } == nil) == removed.contains(text))
  }

  @Test("a JSON document is rejected for invalid UTF-8 even after half of a surrogate pair")
  func pairThenBytes() {
    let bytes = Array("[\"\\ud800\",\"".utf8) + [0xFF] + Array("\"]".utf8)
    #expect(code { try JSONDocument.validate(bytes) } == .encoding)
  }

  @Test("a JSON document is truncated at every byte but its last")
  func cut() {
    let text = #" {"a\u00e9":[1,-2.5e+3,true,false,null,"x\ud83d\ude00\\"],"é":{"":{}},"b":[]} "#
    let bytes = Array(text.utf8)
    for length in 2..<bytes.count - 1 {
      #expect(code { try JSONDocument.validate(Array(bytes[..<length])) } == .cut, "at \(length)")
    }
  }

  @Test("a JSON document is rejected with the offset of the byte")
  func offset() {
    let error = failure { try JSONDocument.validate(Array("[1,2,x]".utf8)) }
    #expect(error?.message == "The body isn't JSON at byte 5: a value was expected.")
  }
}
