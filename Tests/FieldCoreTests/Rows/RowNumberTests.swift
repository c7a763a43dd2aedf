import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Numbers in rows", .heavy)
struct RowNumberTests {
  private func doubles(_ texts: [String]) throws -> [Double?] {
    let lines = texts.map { "{\"a\":\"\($0)\"}\n" }.joined()
    return try rows(Array(lines.utf8), ["a"], format: .ndjson) { $0.double(0) }
  }

  @Test(
    "numbers in rows are read like a correctly rounding reader does, or not at all",
    arguments: [
      ("0", 0), ("-0", -0.0), ("21", 21), ("+7", 7), (" 7\\t", 7), ("007", 7), (".5", 0.5),
      ("5.", 5), ("-.5e1", -5),
      ("1e22", 1e22), ("1e23", 1e23), ("9007199254740993", 0x1p53),
      ("78.400000000000006", 78.400000000000006),
      ("0.28000000000000003", 0.28000000000000003), ("1e308", 1e308),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("4.9e-324", 0x1p-1074), ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
      ("1e-400", 0),
      ("0e999999999999", 0), ("123456789012345678901234567890", 0x1.8ee90ff6c373ep+96),
      ("0.000000000000000000000000000000000000001", 1e-39), ("1e999", nil), ("-1e999", nil),
      ("1e99999999999999999999", nil), ("NaN", nil), ("nan", nil), ("inf", nil),
      ("Infinity", nil), ("0x10", nil), ("0x1p3", nil), ("1,5", nil), ("1 5", nil), ("1_000", nil),
      ("", nil), (".", nil),
      ("e5", nil), ("1e", nil), ("1e+", nil), ("--1", nil), ("+-1", nil), ("1.2.3", nil),
      ("abc", nil), ("5kg", nil),
      ("　12　", 12), ("\\u00a012", 12), ("１２", 12), ("－１，２３４．５", -1234.5), ("＋５．", 5),
      ("\u{2212}5", -5),
      ("１．５ｅ３", 1500), ("\u{3000}２１ ", 21), ("１,２３４,５６７", 1_234_567), ("２１石", nil),
      ("１，２", nil), ("\u{FF0B}", nil), ("\u{2212}", nil),
      ("\\u0031", 1), ("12é", nil),
    ] as [(String, Double?)])
  func table(_ text: String, _ expected: Double?) throws {
    let read = try #require(try doubles([text]).first)
    #expect(read == expected)
    #expect(read?.sign == expected?.sign)
  }

  @Test(
    "numbers in rows are whole if nothing follows the decimal point",
    arguments: [
      ("1880", 1880), ("1880.0", 1880), ("1e3", 1000), ("1200e-2", 12), ("-5", -5), ("0", 0),
      ("-0.0", 0), ("0860", 860),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
      ("1.5", nil), ("１８８０．０", 1880), ("\u{2212}１２", -12),
      ("1e-1", nil), ("99999999999999999999", nil), ("1e19", nil),
      ("1e18", 1_000_000_000_000_000_000), ("", nil),
      ("12.00000000000000000000000000", 12), ("12.00000000000000000000000001", nil), ("0e-99", 0),
      ("x", nil),
      ("1e99999999", nil), ("100000000000000000000e-20", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ expected: Int?) throws {
    let line = Array("{\"a\":\"\(text)\"}".utf8)
    #expect(try rows(line, ["a"], format: .ndjson) { $0.integer(0) } == [expected])
  }

  @Test("numbers in rows equal the standard library's for random texts")
  func random() throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    let texts = (0..<Sample.rounds(100_000, 4_000, inDebug: 2_000)).map { _ in
      Self.decimal(&random)
    }
    for (text, read) in zip(texts, try doubles(texts)) {
      let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
      if read?.bitPattern != expected?.bitPattern {
        Issue.record("\(text): \(read as Any), not \(expected as Any) (seed \(seed))")
      }
    }
  }

  @Test(
    "numbers in rows equal Python's for random texts",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func python() throws {
    var random = SeededGenerator(seed: Sample.seed())
    let texts = (0..<Sample.rounds(20_000, 2_000, inDebug: 1_000)).map { _ in
      Self.decimal(&random)
    }
    let script = """
      import sys, struct
      for line in sys.stdin:
          x = float(line)
          print(struct.pack('>d', x).hex() if abs(x) != float('inf') else 'nil')
      """
    let answer = try Tool.run(
      "python3", "-c", script, input: Data(texts.joined(separator: "\n").utf8))
    let expected = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    let read = try doubles(texts)
    #expect(expected.count == texts.count)
    for index in texts.indices {
      let bits = read[index].map { String($0.bitPattern, radix: 16) } ?? "nil"
      let padded = bits == "nil" ? bits : String(repeating: "0", count: 16 - bits.count) + bits
      if padded != expected[index] {
        Issue.record("\(texts[index]): \(padded), not \(expected[index])")
      }
    }
  }

  private static func decimal(_ random: inout SeededGenerator) -> String {
    func digits(_ count: Int) -> String {
      String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &random))) })
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text += digits(
      Int.random(in: 1...(Int.random(in: 0..<10, using: &random) == 0 ? 30 : 12), using: &random))
    if Int.random(in: 0..<4, using: &random) > 0 {
      text += "." + digits(Int.random(in: 1...18, using: &random))
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      text +=
        (["e", "E", "e+", "e-"].randomElement(using: &random) ?? "e")
        + digits(Int.random(in: 1...3, using: &random))
    }
    return text
  }
}
