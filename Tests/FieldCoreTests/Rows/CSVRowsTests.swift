import FieldCore
import TestSupport
import Testing

@Suite("CSV rows")
struct CSVRowsTests {
  private func cells(_ text: String, _ columns: [String] = ["a", "b", "c"]) throws -> [[String?]] {
    try rows(Array(text.utf8), columns) { row in columns.indices.map { row.text($0) } }
  }

  @Test(
    "CSV rows are read by RFC 4180",
    arguments: [
      ("a,b,c\n1,2,3\n", [["1", "2", "3"]]),
      ("a,b,c\r\n1,2,3\r\n4,5,6\r\n", [["1", "2", "3"], ["4", "5", "6"]]),
      ("a,b,c\r1,2,3\r4,5,6", [["1", "2", "3"], ["4", "5", "6"]]),
      ("a,b,c\r1,2,3\r", [["1", "2", "3"]]),
      ("a,b,c\n1,2,3\r\n4,5,6\r7,8,9", [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]]),
      ("c,a,b\n3,1,2\n", [["1", "2", "3"]]),
      ("A, B ,\u{FEFF}c\n1,2,3\n", [["1", "2", "3"]]),
      ("\u{FEFF}\"a\",\"b\",\"c\"\n\"1\",\"2\",\"3\"", [["1", "2", "3"]]),
      ("a,b,c\n\"x,y\",\"p\"\"q\",\"l\nm\r\nn\"\n", [["x,y", "p\"q", "l\nm\r\nn"]]),
      ("a,b,c\n,\"\",\" \"\n", [[nil, nil, nil]]),
      ("a,b,c\nnull,\"null\",Null\n", [[nil, nil, "Null"]]),
      ("a,b,c\nx\"y, \"z\"-,w\n", [["x\"y", " \"z\"-", "w"]]),
      ("a;b;c\n1;2,5;3\n", [["1", "2,5", "3"]]),
      ("a\tb\tc\n1\t2\t3\n", [["1", "2", "3"]]),
      ("a,x,b,y,c\n1,0,2,0,3\n", [["1", "2", "3"]]),
      ("a,b\n1,2\n", [["1", "2", nil]]),
      ("a,b,c\n\n1,2,3\n  \n\n4,5,6\n\n", [["1", "2", "3"], ["4", "5", "6"]]),
      ("a,b,c\n1,2,3,\n", [["1", "2", "3"]]),
      ("a,a,b\n1,2,3\n", [["2", "3", nil]]),
      ("title of the file,,\na,b,c\n1,2,3\n", [["1", "2", "3"]]),
      ("a,b,c\n\"\"\"\",\"\"\"x\"\"\",\"1\"\n", [["\"", "\"x\"", "1"]]),
      ("a,b,c\n", []),
      ("a,b,c\n\"x\" y,\"p\"q\"r\",\"s\"\"t\"\"\"u\n", [["x y", "pq\"r\"", "s\"t\"u"]]),
      ("a\tb\tc\n1\t\"L, I\" d\t2\n", [["1", "L, I d", "2"]]),
    ] as [(String, [[String?]])])
  func read(_ text: String, _ expected: [[String?]]) throws {
    #expect(try cells(text) == expected)
  }

  @Test("CSV rows that are too long fail individually, with the counts, and short ones don't")
  func counts() throws {
    let batch = try stones("id,name,mass\n1,A,2\n2,B\n3,C,4,5\n4,\"D\nE\" x,5\n5,E,6\n")
    #expect(batch.records.map(\.id) == ["1", "2", "5"])
    #expect(
      batch.failures.map(\.reason) == [
        "it has 4 cells, but the header has 3", "text follows quotes around a line break",
      ])
    #expect(batch.failures.map(\.excerpt) == ["3,C,4,5", "4,\"D\nE\" x,5"])
    #expect(batch.failures.map(\.key) == ["3", "4"])
  }

  @Test(
    "CSV rows that are incomplete at the end are a truncated body",
    arguments: [
      "id,name\n1,A\n2,\"B", "id,name\n1,A\n\"2", "id,name\n1,\"A\nB\n2,C\n",
      "id,na",
      "id,name\n1,\"A\"\"",
    ])
  func cut(_ text: String) {
    #expect(code { _ = try stones(text) } == .cut)
  }

  @Test("CSV rows need no line break at the end")
  func noLastBreak() throws {
    #expect(try stones("id,name\n1,A\n2,B").records.map(\.name) == ["A", "B"])
    #expect(try stones("id,name\n1,A\n2,\"B\"").records.map(\.name) == ["A", "B"])
    #expect(try stones("id\n1\n2").records.map(\.id) == ["1", "2"])
  }

  @Test(
    "CSV without a known column isn't CSV, or has another schema if CSV is requested")
  func noHeader() {
    #expect(code { _ = try stones("p,q\n1,2\n") } == .unknownFormat)
    #expect(code { _ = try stones("p,q\n1,2\n", .csv) } == .schema)
  }
}
