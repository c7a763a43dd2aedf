import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("CSV rows of careless programs")
struct DirtyCSVTests {
  private func cells(_ text: String) throws -> [[String?]] {
    try rows(Array(text.utf8), ["a", "b (g)", "c"]) { row in (0..<3).map { row.text($0) } }
  }

  @Test(
    "CSV rows have the columns of a header with other white space in its names",
    arguments: ["a,\"b\n(g)\",c", "a,b  (g),c", " a ,\"b\r\n (g)\",\u{3000}c\u{A0}", "a,b(g),c"])
  func headers(_ header: String) throws {
    #expect(try cells(header + "\n1,2,3\n") == [["1", "2", "3"]])
  }

  @Test(
    "CSV cells are in quotes even if blanks surround the quotes",
    arguments: [
      ("1, \"2\", \"3\"", ["1", "2", "3"]), ("\"1\" ,\"2\"  ,\"3\" ", ["1", "2", "3"]),
      ("1, \"2,\"\"x\"\"\" , \"3\ny\"", ["1", "2,\"x\"", "3\ny"]),
      ("1, \"2\" x,3", ["1", " \"2\" x", "3"]), ("1, 5\",3", ["1", " 5\"", "3"]),
      ("1,  2, \"3", ["1", "  2", " \"3"]), ("1,2 \"x\",3", ["1", "2 \"x\"", "3"]),
    ])
  func blanks(_ row: String, _ expected: [String]) throws {
    #expect(try cells("a,b (g),c\n\(row)\n4,5,6\n") == [expected, ["4", "5", "6"]])
    #expect(try cells("a, \"b (g)\" , \"c\"\n\(row)") == [expected])
  }

  @Test("lines of separators and blanks only aren't CSV rows", arguments: [",", ";", "\t", "|"])
  func blankLines(_ separator: String) throws {
    let text = "a,b (g),c\n1,2,3\n,,\n4,5,6\n , ,\t\r\n,,,,\n,,".replacing(",", with: separator)
    #expect(try cells(text) == [["1", "2", "3"], ["4", "5", "6"]])
  }

  @Test("CSV rows are noticed as cut if the end of the file was never written")
  func zeros() throws {
    let batch = try stones("id,name\n1,A\n" + String(repeating: "\0", count: 4) + ",\0\n")
    #expect(batch.rowCount == 2)
  }

  /// Writes rows with quotes after blanks, and the cells that Python reads, a line each.
  private static let script = """
    import csv, io, json, random, sys
    random.seed(int(sys.argv[1]))
    parts = ['a', '7', ' ', ',', '""', '\\n', '\\r\\n', '石', '""' * 2, '.']
    for _ in range(500):
        def cell():
            text = 'x' + ''.join(random.choice(parts) for _ in range(random.randint(0, 6))) + 'y'
            if random.random() < 0.3: return 'x"' + text.replace(',', '').replace('\\n', '').replace('\\r', '')
            return random.choice(['', ' ', '   ']) + '"' + text + '"'
        data = ''.join(','.join(cell() for _ in range(3)) + '\\n' for _ in range(random.randint(1, 5)))
        print(json.dumps([data, list(csv.reader(io.StringIO(data, newline=''), skipinitialspace=True))]))
    """

  @Test(
    "CSV rows in quotes after blanks are those that Python reads",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"), arguments: [21, 22])
  func python(_ seed: Int) throws {
    let answer = try Tool.run("python3", "-c", Self.script, "\(seed)")
    let lines = answer.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 500)
    for line in lines {
      let parts = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
      let text = try #require(parts[0] as? String)
      #expect(try cells("a,b (g),c\n" + text) == parts[1] as? [[String]], "seed \(seed): \(text)")
    }
  }

  /// Writes rows with text after closing quotes, and the cells that Python reads, a line each.
  private static let afterQuotes = """
    import csv, io, json, random, sys
    random.seed(int(sys.argv[1]))
    parts = ['a', '7', ' ', ',', '\\t', '""', '石', '.']
    for separator in [',', '\\t'] * 250:
        def cell():
            inner = ''.join(random.choice(parts) for _ in range(random.randint(1, 5)))
            after = 'x' + ''.join(random.choice(['a', ' ', '"', '""', '石']) for _ in range(random.randint(0, 4)))
            return '"x' + inner + '"' + random.choice(['', after, ' ' + after])
        data = ''.join(separator.join(cell() for _ in range(3)) + '\\n' for _ in range(random.randint(1, 5)))
        print(json.dumps([separator, data, list(csv.reader(io.StringIO(data, newline=''), delimiter=separator))]))
    """

  @Test(
    "CSV rows with text after a closing quote are those that Python reads",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"), arguments: [23, 24])
  func pythonAfterQuotes(_ seed: Int) throws {
    let answer = try Tool.run("python3", "-c", Self.afterQuotes, "\(seed)")
    let lines = answer.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 500)
    for line in lines {
      let parts = try #require(try JSONSerialization.jsonObject(with: line) as? [Any])
      let (separator, text) = (parts[0] as? String ?? "", parts[1] as? String ?? "")
      let header = ["a", "b (g)", "c"].joined(separator: separator) + "\n"
      #expect(try cells(header + text) == parts[2] as? [[String]], "seed \(seed): \(text)")
    }
  }

  @Test("CSV rows are under the header, even if a title before it is the name of a column")
  func titles() throws {
    #expect(try cells("a\n\na,b (g),c\n1,2,3\n") == [["1", "2", "3"]])
    #expect(try cells("c,,\n2026-01-01,,\na,b (g),c\n1,2,3\n") == [["1", "2", "3"]])
    #expect(try cells("a,x\n1,2\n3,4\n").map(\.[0]) == ["1", "3"])
  }

  @Test(
    "CSV rows that repeat the header where files were joined fail, and are no records",
    arguments: ["id,name\n", "\u{FEFF}id,name\r\n"])
  func joined(_ header: String) throws {
    let batch = try stones("id,name\n1,A\n\(header)2,B\nid,Name\n")
    #expect(
      batch.records == [
        RowStone(id: "1", name: "A"), .init(id: "2", name: "B"), .init(id: "id", name: "Name"),
      ])
    #expect(batch.failures.map(\.reason) == ["it repeats the header"])
    #expect(batch.failures.map(\.index) == [1])
    #expect(try stones("id\nid\n").records.map(\.id) == ["id"])
    #expect(try stones("\u{FEFF}id,name\nid,name\n").records.isEmpty)
  }

  @Test(
    "CSV rows have the value of the column that has one, among several for it",
    arguments: [
      ("id,mass,mass\n1,5,\n", 5), ("id,mass,mass\n1,,5\n", 5), ("id,mass,mass\n1,4,5\n", 5),
      ("id,mass,mass (g)\n1,NA,5\n", 5), ("id,mass (g),mass\n1,4,5\n", 5),
      ("id,mass,mass (g)\n1,5,4\n", 5), ("id,mass,MASS\n1,,\" \"\n", nil),
      ("[{\"id\":1,\"mass\":5,\"mass\":null}]", nil),
      ("[{\"id\":1,\"mass\":\"\",\"mass (g)\":5}]", 5),
    ] as [(String, Double?)])
  func duplicates(_ text: String, _ mass: Double?) throws {
    #expect(try stones(text).records == [RowStone(id: "1", mass: mass)])
  }
}
