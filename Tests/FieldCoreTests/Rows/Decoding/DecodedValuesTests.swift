import FieldCore
import Foundation
import TestSupport
import Testing

/// Columns in which single cells say little, and all together say how they are written.
@Suite("Values that a Decodable record reads from columns")
struct DecodedValuesTests {
  private static let numbers = [
    "0", "-0", "21", "+7", " 7\t", "007", ".5", "5.", "-.5e1", "1e22", "1e23", "9007199254740993",
    "78.400000000000006", "1.7976931348623157e308", "4.9e-324", "1e-400", "1e999", "NaN", "nan",
    "inf", "0x10", "1,5", "1 5", "1_000", "", ".", "e5", "1e", "--1", "1.2.3", "abc", "5kg",
    "　12　", "１２", "－１，２３４．５", "＋５．", "\u{2212}5", "１．５ｅ３", "１,２３４,５６７", "２１石", "1880.0",
    "1e3", "1200e-2", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "12.00000000000000000000000001", "99999999999999999999", "60,000,000", "1,234.5", "1,234",
  ]

  private static let dates = [
    "2015-07-20T18:25:03.12", "2024-W01-5", "2018-12-21 11:27:25 +0800", "2017/9/29",
    "20261008131602", "20160516T180000Z", "1150801", "01/31/2001 12:00:00 AM", "31.12.2023 15:04",
    "1774418829000", "Tue, 22 Jul 2025 20:42:19 GMT", "105/05/16 下午 03:20", "民國105年5月16日",
    "二〇一三年一月二十七日", "令和6年1月5日 15時04分", "2024. 1. 5.", "2024/01/05 09:00-17:00", "12/05/16",
    "2024-01-05+08:00", "2015-07", "2024-02-30", "晚上12點", "發布日期：2024-01-05", "-", "soon",
  ]

  private static let places = [
    "POINT (6.08333 50.775)", "SRID=4326;POINT Z (6 50 7)", "POINT EMPTY", "point(6 50)",
    #"{"type":"Point","coordinates":[6.08333,50.775]}"#, "(50.775, 6.08333)", "50.775, 6.08333",
    "25,04", "Main St 1\n(50.775, 6.08333)", #"{"latitude":"50.775","longitude":"6.08333"}"#,
    #"{"x":6.08333,"y":50.775}"#, #"[null,"50.775","6.08333",null,false]"#, "(95, 6)", "",
    #"{"human_address":"{}"}"#, #"{"type":"Point","coordinates":[6.5]}"#, "LINESTRING (1 2, 3 4)",
    "LINESTRING (1 2, 1 2)", "N/A", "NaN",
  ]

  private static func compare(
    _ columns: [String], _ rows: [[String]], separator: String? = nil
  ) throws {
    let body: String
    if let separator {
      let lines = rows.map { row in
        row.map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }
          .joined(separator: separator)
      }
      body = ([columns.joined(separator: separator)] + lines).joined(separator: "\n") + "\n"
    } else {
      let cells = try rows.map { row in
        try row.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
      }
      body = RowShape.array.body(columns, cells)
    }
    let decoded = try Batch<DecodedSpot>(body)
    let read = try Batch<HandReadSpot>(body)
    #expect(decoded.records.count == rows.count)
    for (one, other) in zip(decoded.records, read.records) { #expect(one == other.spot) }
    #expect((decoded.unreadable == nil) == (read.unreadable == nil))
  }

  @Test(
    "a Decodable record reads numbers as the accessors of rows do",
    arguments: [nil, ",", ";", "\t"] as [String?])
  func numbers(separator: String?) throws {
    try Self.compare(
      ["id", "size", "count", "level", "width"],
      Self.numbers.enumerated().map { ["\($0)", $1, $1, $1, $1] }, separator: separator)
  }

  @Test("a Decodable record reads numbers in the form of their column", arguments: [";", "\t"])
  func forms(separator: String) throws {
    for column in [
      ["1,5", "2,25", "1.234,5", "3"], ["60 000 000", "1 000", "5"], ["1'234'567", "1'000"],
      ["1,5", "2.5", "1,234"], ["1.234", "1.234.567", "2,5"], ["1\u{A0}234,5", "1\u{202F}000,25"],
    ] {
      try Self.compare(
        ["id", "size", "count", "name"],
        column.enumerated().map { ["\($0)", $1, $1, $1] }, separator: separator)
    }
  }

  @Test(
    "a Decodable record reads dates as the accessors of rows do",
    arguments: [nil, ","] as [String?])
  func dates(separator: String?) throws {
    try Self.compare(
      ["id", "moment", "day"], Self.dates.enumerated().map { ["\($0)", $1, $1] },
      separator: separator)
  }

  @Test("a Decodable record reads dates in the order of day and month that their column has")
  func orders() throws {
    for column in [["03/04/2026", "25/03/2026"], ["03/04/2026", "03/25/2026"], ["03/04/2026"]] {
      try Self.compare(
        ["id", "moment"], column.enumerated().map { ["\($0)", $1] }, separator: ",")
    }
  }

  @Test(
    "a Decodable record reads locations as the accessors of rows do",
    arguments: [nil, ","] as [String?])
  func places(separator: String?) throws {
    for name in ["coordinate", "geometry"] {
      try Self.compare(
        ["id", name], Self.places.enumerated().map { ["\($0)", $1] }, separator: separator)
    }
    let pairs = Self.places.flatMap { place in [[place, "6"], ["50", place], [place, place]] }
    try Self.compare(
      ["id", "latitude", "longitude"], pairs.enumerated().map { ["\($0)"] + $1 },
      separator: separator)
  }

  @Test("a Decodable record reads texts without surrounding space, quotes, and escapes")
  func texts() throws {
    try Self.compare(
      ["id", "name"],
      [
        "a", " a ", "\u{FEFF}a\u{3000}", "\"a\"", "a\\b", "null", "NULL", "NA", "n/a", "#N/A", "-",
        "--",
        "N", "None", "臺北", "a\nb", "e\u{301}", String(repeating: "\u{301}", count: 40),
      ].enumerated().map { ["\($0)", $1] })
  }

  @Test(
    "a Decodable record reads Boolean values in several languages, and nothing else as one",
    arguments: [
      ("true", true), ("TRUE", true), ("Yes", true), ("ｙ", true), ("t", true), ("1", true),
      ("是", true),
      ("有", true), ("false", false), ("No", false), ("n", false), ("F", false), ("０", false),
      ("否", false), ("無", false), ("无", false), ("2", nil), ("maybe", nil), ("", nil), ("-", nil),
      ("1.5", nil),
    ] as [(String, Bool?)])
  func bools(text: String, value: Bool?) throws {
    let page = try Batch<DecodedSpot>("id,isOpen\n1,\(text)\n")
    #expect(page.records.map(\.isOpen) == [value])
    let isUnreadable = value == nil && text != "" && text != "-"
    #expect((page.unreadable != nil) == isUnreadable)
  }

  struct Wide: CatalogRecord {
    let id: Int64
    let signed: Int128?
    let unsigned: UInt64?
    let exact: Decimal?
    let small: UInt8?
  }

  @Test("a Decodable record reads integers of any width, and decimals with all digits")
  func wide() throws {
    let page = try Batch<Wide>(
      #"""
      [{"id":"9223372036854775807","signed":"-170141183460469231731687303715884105728",
        "unsigned":18446744073709551615,"exact":"1,234,567.12345678901234567890","small":"255.0"},
       {"id":-1,"signed":5,"unsigned":"-1","exact":"0.1","small":256}]
      """#)
    let first = try #require(page.records.first)
    #expect(first.id == .max)
    #expect(first.signed == .min)
    #expect(first.unsigned == .max)
    #expect(first.exact == Decimal(string: "1234567.12345678901234567890"))
    #expect(first.small == 255)
    let last = try #require(page.records.last)
    #expect((last.signed, last.unsigned, last.small) == (5, nil, nil))
    #expect(last.exact == Decimal(string: "0.1"))
    #expect(page.unreadable?.count == 2)
  }
}
