import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Rows from a spreadsheet")
struct SpreadsheetRowsTests {
  private func cells(_ text: String) throws -> [[String?]] {
    try rows(Array(text.utf8), ["a", "b", "c"]) { row in (0..<3).map { row.text($0) } }
  }

  @Test(
    "rows from a spreadsheet have empty cells where trailing ones are missing",
    arguments: [
      ("a,b,c\n1,2,3\n4\n", [["1", "2", "3"], ["4", nil, nil]]),
      ("a,b,c\n1,2,3\n4,5", [["1", "2", "3"], ["4", "5", nil]]),
      ("a,b,c\n1,2,3\n4", [["1", "2", "3"], ["4", nil, nil]]),
      ("a,b,c\r\n1\r\n2,\r\n3,,\r\n", [["1", nil, nil], ["2", nil, nil], ["3", nil, nil]]),
      ("a,b,c\r1,2\r4,\"5\"", [["1", "2", nil], ["4", "5", nil]]),
      ("a,b,c\n1,2,3\n4,5\u{1A}", [["1", "2", "3"], ["4", "5", nil]]),
      ("a,b,c\n1,2,3\n\u{1A}", [["1", "2", "3"]]),
      ("a,b,c\r\n1,2,3\u{1A}\r\n", [["1", "2", "3"]]),
      ("a,b,c\n1,2,3\n\u{1A}\u{1A}\u{1A}", [["1", "2", "3"]]),
      ("a,b,c\u{1A}", []),
      ("a,b,c,\n1,2,3\n4,5,6\n", [["1", "2", "3"], ["4", "5", "6"]]),
      ("a,b,c,,,\n1,2,3\n4,5,6,\n", [["1", "2", "3"], ["4", "5", "6"]]),
      (",a,b,c\n0,1,2,3\n1,4,5,6\n", [["1", "2", "3"], ["4", "5", "6"]]),
      ("a\n1\n\n2\n  \n3", [["1", nil, nil], ["2", nil, nil], ["3", nil, nil]]),
      ("a,b,c\n\"\"\n1,2,3\n", [[nil, nil, nil], ["1", "2", "3"]]),
    ] as [(String, [[String?]])])
  func missingCells(_ text: String, _ expected: [[String?]]) throws {
    #expect(try cells(text) == expected)
  }

  @Test(
    "rows from a spreadsheet may be separated in other ways, which a first line may declare",
    arguments: [",", ";", "\t", "|"], ["", "sep=", "\"sep=\""])
  func separators(_ separator: String, _ beginning: String) throws {
    let first =
      beginning.hasPrefix("sep")
      ? "sep=\(separator)\r\n" : beginning.hasPrefix("\"") ? "\"sep=\(separator)\"\r\n" : ""
    let text =
      first
      + "a,b,c\r\n\"x,y;z|\t\",2,3\r\n4,,\r\n"
      .replacing("a,b,c", with: ["a", "b", "c"].joined(separator: separator))
      .replacing(",2,3", with: "\(separator)2\(separator)3")
      .replacing("4,,", with: "4\(separator)\(separator)")
    #expect(try cells(text) == [["x,y;z|\t", "2", "3"], ["4", nil, nil]])
  }

  @Test(
    "rows that all have more cells than a spreadsheet's header are an error, not an empty table")
  func longRows() throws {
    let error = failure { _ = try stones("id,name\n1,A,x\n2,B,y\n") }
    #expect(error?.code == .schema)
    #expect(error?.problems.count == 2)
    #expect(try stones("id,name\n1,A,x\n2,B\n").records.map(\.id) == ["2"])
  }

  @Test(
    "rows from a spreadsheet are an error if the header has another separator than all of them",
    arguments: ["id,name\n1;A\n2;B\n", "id;name\n1,A\n2,B", "id\tname\tmass\n1|A|2\n"])
  func otherSeparator(_ text: String) throws {
    #expect(code { _ = try stones(text) } == .schema)
    let two = try stones("id,name\nA; B\n2,B\n")
    #expect(two.records.map(\.id) == ["A; B", "2"])
  }

  @Test(
    "rows from a spreadsheet are read in UTF-16 with a byte-order mark, unlike JSON",
    arguments: [true, false])
  func wideText(_ isLittleEndian: Bool) throws {
    for (format, text) in SmallBody.all {
      let bytes = utf16(text, isLittleEndian: isLittleEndian)
      guard format == .csv else {
        #expect(code { _ = try RowReader.read(bytes, as: RowStone.self) } == .encoding)
        continue
      }
      #expect(try RowReader.read(bytes, as: RowStone.self).records == SmallBody.rows)
      #expect(code { _ = try RowReader.read(Array(bytes.dropLast()), as: RowStone.self) } == .cut)
      #expect(
        code { _ = try RowReader.read(Array(bytes.dropFirst(2)), as: RowStone.self) } == .encoding)
    }
  }

  @Test("rows from a spreadsheet in UTF-16 fail individually if a surrogate has no other half")
  func loneSurrogate() throws {
    var bytes = utf16("id\tname\r\n1\t石😀\r\n2\tX\r\n3\té\r\n", isLittleEndian: true)
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "X")))
    bytes[place + 1] = 0xD8
    let batch = try RowReader.read(bytes, as: RowStone.self)
    #expect(batch.records == [RowStone(id: "1", name: "石😀"), RowStone(id: "3", name: "é")])
    #expect(batch.failures.map(\.index) == [1])
  }

  @Test(
    "rows from a spreadsheet have no value where a word stands for a missing value",
    arguments: [
      "NULL", "null", "NA", "N/A", "n/a", "#N/A", "-", " NULL ", "\u{A0}NA", "N/A\u{3000}",
    ])
  func missingWords(_ word: String) throws {
    let bodies = [
      "[{\"a\":\"\(word)\"}]", "{\"a\":\"\(word)\"}\n", "{\"data\":[{\"a\":\"\(word)\"}]}",
      "a,b\n\(word),1\n", "a,b\n\"\(word)\",1\n", "b;a\n1;\(word)\n",
    ]
    for body in bodies {
      let read = try rows(Array(body.utf8), ["a"]) { row in
        row.text(0) == nil && row.trimmedText(0) == nil && row.double(0) == nil
          && row.integer(0) == nil && row.rawText(0) == nil && row.id(0) == nil
          && !row.isPresent(0) && row.withUTF8(0) { $0.count } == nil
      }
      #expect(read == [true], "\(body)")
    }
  }

  @Test(
    "rows from a spreadsheet keep other words, however similar to one for a missing value",
    arguments: [
      "Null", "nul", "nullable", "NULLs", "N", "n", "Na", "na", "NAN", "NaN", "nan", "NWA 1234",
      "N/AB", "N A", "--", "-1", "- -", "–", "—", "#NA", "#N/A!", "Namibia", "Northwest Africa",
      "Nuevo",
      "0", "None", "nil", "NA\u{E9}", ".", "-NA",
    ])
  func words(_ word: String) throws {
    for body in ["[{\"a\":\"\(word)\"}]", "a,b\n\(word),1\n"] {
      #expect(try rows(Array(body.utf8), ["a"]) { $0.text(0) } == [word])
    }
  }

  @Test(
    "rows from a spreadsheet have numbers whose commas can only group thousands",
    arguments: [
      ("60,000,000", 60_000_000), ("-1,234,567", -1_234_567), ("+1,000,000.25", 1_000_000.25),
      (" 12,345.5 ", 12_345.5), ("1,234.", 1_234), ("999,999,999,999", 999_999_999_999),
      ("1,234", nil), ("1,23,456", nil), ("1234,567,890", nil),
      ("0,123,456", nil), (",123,456", nil), ("1,,234,567", nil), ("1,234,56", nil),
      ("1,234,", nil),
      ("1,234,5678", nil), ("1.5,000,000", nil), ("1,000,000,", nil), ("1,000.000,000", nil),
      ("60,000,000 kg", nil), ("1,234.5e3", nil),
      ("--1,000,000", nil), ("1-,000,000", nil), ("1.2.3,456.7", nil), ("100.50", 100.5),
    ] as [(String, Double?)])
  func grouping(_ text: String, _ expected: Double?) throws {
    for body in ["[{\"a\":\"\(text)\"}]", "a,b\n\"\(text)\",1\n", "a;b\n\(text);1\n"] {
      #expect(try rows(Array(body.utf8), ["a"]) { $0.double(0) } == [expected], "\(body)")
      let whole = expected.flatMap { $0.rounded() == $0 ? Int($0) : nil }
      #expect(try rows(Array(body.utf8), ["a"]) { $0.integer(0) } == [whole], "\(body)")
    }
    #expect(JSONValue.string(text).double == expected)
  }

  @Test(
    "rows from a spreadsheet have decimal commas or blanks in numbers only in separated values",
    arguments: [("1,5", 1.5), ("1.234,5", 1_234.5), ("1 000 000", 1e6), ("1'000'000", 1e6)])
  func settled(_ text: String, _ expected: Double) throws {
    for body in ["a,b\n\"\(text)\",1\n", "a;b\n\(text);1\n"] {
      #expect(try rows(Array(body.utf8), ["a"]) { $0.double(0) } == [expected], "\(body)")
    }
    #expect(try rows(Array("[{\"a\":\"\(text)\"}]".utf8), ["a"]) { $0.double(0) } == [nil])
    #expect(JSONValue.string(text).double == nil)
  }

  @Test(
    "rows from a spreadsheet have an ID that a spreadsheet or pandas turned into a decimal number",
    arguments: [
      ("1", "1"), ("1.0", "1"), (" 57165.0 ", "57165"), ("12.000", "12"), ("0.0", "0"),
      ("007.0", "007"), ("123456789012345678901.0", "123456789012345678901"), ("1.5", "1.5"),
      ("1.", "1."), (".0", ".0"), ("1.0.0", "1.0.0"), ("v1.0", "v1.0"), ("1.0a", "1.0a"),
      ("10", "10"),
      ("-1.0", "-1.0"), ("1.00e0", "1.00e0"),
    ])
  func ids(_ text: String, _ expected: String) throws {
    for body in ["[{\"id\":\"\(text)\"}]", "id,name\n\(text),A\n"] {
      #expect(try rows(Array(body.utf8), ["id"]) { $0.id(0) } == [expected])
    }
    if Double(text) != nil, text.first?.isNumber == true, text != "1.", !text.hasPrefix("00") {
      #expect(try rows(Array("[{\"id\":\(text)}]".utf8), ["id"]) { $0.id(0) } == [expected])
    }
  }

  /// Writes random tables with Python's own writer, in the dialects of spreadsheets: the bytes in Base64
  /// and the cells as JSON, a table a line.
  static let script = """
    import base64, csv, io, json, random, sys
    random.seed(int(sys.argv[1]))
    alphabet = ['a', 'B', '7', ' ', ',', ';', '|', '\\t', '"', '""', '\\n', '\\r\\n', '\\r', "'", '石', 'é', '😀', '=', '#',
                '\\u00a0', '\\ufeff', '\\u2028', '.', '/', '\\x7f', '\\x0b']
    for _ in range(1500):
        columns = random.randint(1, 5)
        separator = random.choice(',;|\\t') if columns > 1 else ','
        encoding = random.choice(['utf-8', 'utf-8-sig', 'utf-16', 'utf-16-be'])
        table = [['x' + ''.join(random.choice(alphabet) for _ in range(random.randint(0, 6))) + 'y'
                  if random.random() < 0.8 else '' for _ in range(columns)] for _ in range(random.randint(0, 6))]
        table = [row for row in table if any(row)]
        text = io.StringIO(newline='')
        writer = csv.writer(text, delimiter=separator, lineterminator=random.choice(['\\n', '\\r\\n', '\\r']),
                            quoting=random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
                            if not any('\\r' in cell or '\\n' in cell for row in table for cell in row)
                            else csv.QUOTE_ALL)
        writer.writerow(['c%d' % n for n in range(columns)])
        for row in table:
            short = list(row)
            while random.random() < 0.5 and len(short) > 2 and short[-1] == '': short.pop()
            writer.writerow(short)
        data = text.getvalue()
        if random.random() < 0.3 and table: data = data.rstrip('\\r\\n') + random.choice(['', '\\x1a'])
        bytes_ = data.encode(encoding)
        if encoding == 'utf-16-be': bytes_ = b'\\xfe\\xff' + bytes_
        print(json.dumps([base64.b64encode(bytes_).decode(), table]))
    """

  @Test(
    "rows from a spreadsheet are the cells that Python wrote, in every dialect and encoding",
    .heavy,
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: Sample.of([11, 12], inDebug: 1))
  func python(_ seed: Int) throws {
    let answer = try Tool.run("python3", "-c", Self.script, "\(seed)")
    var tables = 0
    for line in answer.split(separator: UInt8(ascii: "\n")) {
      let parts = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
      let text = try #require(parts[0] as? String)
      let bytes = [UInt8](try #require(Data(base64Encoded: text)))
      let expected = try #require(parts[1] as? [[String]])
      let read = try rows(bytes, (0..<5).map { "c\($0)" }) { row in
        (0..<(expected.first?.count ?? 0)).map { row.text($0) ?? "" }
      }
      if read != expected {
        Issue.record("\(read) instead of \(expected) (seed \(seed), table \(tables))")
      }
      tables += 1
    }
    #expect(tables == 1500)
  }
}
