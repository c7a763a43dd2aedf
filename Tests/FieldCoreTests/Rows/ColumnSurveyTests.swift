import FieldCore
import Foundation
import Testing

@Suite("Cells that their column explains")
struct ColumnSurveyTests {
  private func doubles(_ body: String) throws -> [Double?] {
    try rows(Array(body.utf8), ["m"]) { $0.double(0) }
  }

  @Test(
    "cells are numbers with a decimal comma or with blanks if other cells leave no doubt",
    arguments: [
      ("id;m\n1;60000000,5\n2;21\n3;0,107\n", [60_000_000.5, 21, 0.107]),
      ("id,m\n1,\"60000000,5\"\n2,21\n", [60_000_000.5, 21]),
      ("id;m\n1;1.234\n2;1.234,5\n3;12.345.678\n4;-1,5\n", [1234, 1234.5, 12_345_678, -1.5]),
      ("id;m\n1;1,234\n2;0,5\n", [1.234, 0.5]), ("id\tm\n1\t7,25\n2\t\n", [7.25, nil]),
      ("id,m\n1,60 000 000\n2,1 234\n3,21\n", [60_000_000, 1234, 21]),
      (
        "id,m\n1,60\u{A0}000\u{A0}000\n2,\u{2212}1\u{202F}234.5\n3,1'250\n",
        [60_000_000, -1234.5, 1250]
      ),
      ("id;m\n1;60 000,25\n2;1 234,5\n", [60_000.25, 1234.5]),
      ("id;m\n1;１,５\n2;x\n", [nil, nil]),
    ] as [(String, [Double?])])
  func numbers(_ body: String, _ expected: [Double?]) throws {
    #expect(try doubles(body) == expected)
  }

  @Test(
    "cells aren't numbers if other cells leave a doubt, or if there are none",
    arguments: [
      ("id;m\n1;1,234\n2;5\n", [nil, 5]), ("id;m\n1;1.234\n2;a,b\n", [1.234, nil]),
      ("id;m\n1;1,5\n2;1.5\n", [nil, 1.5]), ("id;m\n1;1,5\n2;1,2,3\n", [nil, nil]),
      ("id;m\n1;1,5\n2;1,234.5\n", [nil, 1234.5]),
      ("id;m\n1;1,5\n2;1,234,567\n", [nil, 1_234_567]),
      ("id,m\n1,1 234\n2,5\n", [nil, 5]), ("id,m\n1,60 000 000\n2,12 34\n", [nil, nil]),
      ("id,m\n1,0912 345 678\n2,1 234 567\n", [nil, nil]),
      ("id,m\n1,\"60,000,000\"\n", [60_000_000]),
    ] as [(String, [Double?])])
  func doubts(_ body: String, _ expected: [Double?]) throws {
    #expect(try doubles(body) == expected)
    let json = #"[{"m":"1,5"},{"m":"60 000 000"}]"#
    #expect(try doubles(json) == [nil, nil])
  }

  @Test(
    "cells are the ID NA among codes of capital letters, in every format",
    arguments: [
      "id,name\nNA,Namibia\nNL,Netherlands\n", "id\tname\nDE\tx\nNL\ty\n NA \tz\n",
      #"[{"id":"NA"},{"id":"NL"}]"#, "{\"id\":\"NA\"}\n{\"id\":\"USA\"}\n",
      #"{"rows":[{"id":"NL"},{"id":"NA"},{"id":"7"},{"id":"DE"}]}"#, "id\nNA\n\"NL\"\n-\n",
    ])
  func codes(_ body: String) throws {
    #expect(try rows(Array(body.utf8), ["id"]) { $0.id(0) }.contains("NA"))
    #expect(try rows(Array(body.utf8), ["id"]) { $0.text(0) }.allSatisfy { $0 != "NA" })
  }

  @Test(
    "cells of failed rows don't keep the survey of their column from ending",
    arguments: [
      "id;\nNA;;x\nNL;", "id;name\nNA;;x\nNL;b\n", "id,name\nNA,a,b\nNL,c\nDE,d\n",
      "id\tn\nNA\t1\t2\nNA\t1\t2\nNL\t1\n",
      #"[{"id":"NA","name":"\ud800"},{"id":"NL"},{"id":"DE"}]"#,
      "{\"id\":\"NA\",\"name\":\"\\ud800\"}\n{\"id\":\"NL\"}\n",
    ])
  func failures(_ body: String) throws {
    let columns = [RowColumn("id"), RowColumn("name")]
    let summary = try RowReader.forEachRow(of: Array(body.utf8), columns: columns, key: 0) { _ in }
    #expect(!summary.failures.isEmpty)
    #expect(summary.failures.allSatisfy { $0.key == nil })
  }

  @Test(
    "cells aren't an ID if they stand for a missing one",
    arguments: [
      "id,name\nNA,x\n1,y\n", "id\nNA\nNL\nNA\n", "id\nNA\n", "id\nNA\nNl\n", "id\nnull\nNL\n",
      #"[{"id":"N/A"},{"id":"NL"}]"#, #"[{"id":"NA"},{"id":7},{"id":"NL"},{"id":"x"}]"#,
      "id,n\n-,x\nNL,y\n",
    ])
  func missing(_ body: String) throws {
    #expect(try rows(Array(body.utf8), ["id"]) { $0.id(0) }.contains(nil))
  }

  private func days(_ body: String) throws -> [String?] {
    try rows(Array(body.utf8), ["d"]) { row in
      row.date(0, in: .utc).map { String($0.formatted(.iso8601).prefix(10)) }
    }
  }

  @Test(
    "dates have the order of day and month that other cells of their column show, in every format",
    arguments: [
      ("id,d\n1,03/04/2026\n2,25/03/2026\n", ["2026-04-03", "2026-03-25"]),
      ("id,d\n1,03/04/2026\n2,03/25/2026\n", ["2026-03-04", "2026-03-25"]),
      ("id,d\n1,25.03.2026\n2,03.04.2026 10:00\n", ["2026-03-25", "2026-04-03"]),
      (#"[{"d":"03-04-2026"},{"d":null},{"d":"25-03-2026"}]"#, ["2026-04-03", nil, "2026-03-25"]),
      ("{\"d\":\"03/04/2026 1:00 PM\"}\n{\"d\":\"25/03/2026\"}\n", ["2026-04-03", "2026-03-25"]),
      ("id,d\n1,1711011200\n2,1774418829\n", ["2024-03-21", "2026-03-25"]),
    ] as [(String, [String?])])
  func dates(_ body: String, _ expected: [String?]) throws {
    #expect(try days(body) == expected)
  }

  @Test(
    "cells aren't dates if other cells leave a doubt, or if there are none",
    arguments: [
      ("id,d\n1,03/04/2026\n", [nil]), ("id,d\n1,03/04/2026\n2,05/05/2026\n", [nil, "2026-05-05"]),
      (
        "id,d\n1,03/04/2026\n2,25/03/2026\n3,03/25/2026\n", [nil, "2026-03-25", "2026-03-25"]
      ),
      ("id,d,e\n1,03/04/2026,25/03/2026\n", [nil]),
      ("id,d\n1,03/04/2026\n2,25.03.2026\n", [nil, "2026-03-25"]),
    ] as [(String, [String?])])
  func doubtfulDates(_ body: String, _ expected: [String?]) throws {
    #expect(try days(body) == expected)
  }
}
