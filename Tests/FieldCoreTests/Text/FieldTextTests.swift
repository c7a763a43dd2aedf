import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Localized strings", .heavy)
struct FieldTextTests {
  static func count(_ count: Int) -> FieldText {
    FieldText(
      "meteorites.count", .count(count),
      templates: [
        .english: .init(one: "{0} meteorite", other: "{0} meteorites"),
        .traditionalChinese: "{0} 顆隕石",
      ])
  }

  @Test(
    "localized strings have one form for exactly one thing and another for the rest",
    arguments: [
      (0, "0 meteorites"), (1, "1 meteorite"), (2, "2 meteorites"), (-1, "-1 meteorites"),
      (1027, "1027 meteorites"),
    ])
  func plural(count: Int, text: String) {
    #expect(Self.count(count).string() == text)
    #expect("\(Self.count(count))" == text)
  }

  @Test(
    "localized strings have a form for 2 through 4 in languages that need one",
    arguments: [
      (-2, "-2 x"), (0, "0 x"), (1, "1 x"), (2, "2 few"), (4, "4 few"), (5, "5 x"), (22, "22 x"),
    ])
  func few(count: Int, text: String) {
    let template = FieldText.Template(few: "{0} few", other: "{0} x")
    #expect(FieldText("k", .count(count), templates: [.english: template]).string() == text)
    #expect(FieldText("k", templates: [.english: template]).string() == "{0} x")
  }

  @Test(
    "localized strings fall back to the nearest language, then to English",
    arguments: [
      ("zh-Hant", "1,027 顆隕石"), ("zh-Hant-TW", "1,027 顆隕石"), ("zh_TW", "1,027 顆隕石"),
      ("zh-HK", "1,027 顆隕石"),
      ("zh-Hans", "1,027 meteorites"), ("en-GB", "1,027 meteorites"), ("cs", "1,027 meteorites"),
      ("", "1,027 meteorites"),
    ])
  func languages(tag: String, text: String) {
    #expect(Self.count(1027).string(in: TextLanguage(rawValue: tag), numbers: .grouped) == text)
  }

  @Test("localized strings can be replaced by the host, language by language")
  func catalog() {
    let czech = TextLanguage(rawValue: "cs")
    let table = TextCatalog([
      czech: ["meteorites.count": .init(one: "{0} meteorit", other: "{0} meteoritů")],
      .english: ["meteorites.count": "{0} rocks"],
    ])
    #expect(Self.count(1).string(in: czech, catalog: table) == "1 meteorit")
    #expect(
      Self.count(1).string(in: TextLanguage(rawValue: "cs-CZ"), catalog: table) == "1 meteorit")
    #expect(Self.count(1).string(catalog: table) == "1 rocks")
    #expect(Self.count(1).string(in: .traditionalChinese, catalog: table) == "1 顆隕石")
    let forms = TextCatalog { text, language in
      guard language == czech, case .count(let count)? = text.arguments.first else { return nil }
      return .init(
        other: count == 1
          ? "{0} meteorit" : (2...4).contains(count) ? "{0} meteority" : "{0} meteoritů")
    }
    #expect(
      [1, 3, 5].map { Self.count($0).string(in: czech, catalog: forms) } == [
        "1 meteorit", "3 meteority", "5 meteoritů",
      ])
  }

  @Test(
    "localized strings insert arguments by number, and ignore other braces",
    arguments: [
      ("{1} a {0}", "2.50 a x"), ("{0}{0}", "xx"), ("{2} {} {a} {", "{2} {} {a} {"),
      ("{ {0} }", "{ x }"), ("{-1}", "{-1}"), ("", ""),
    ])
  func placeholders(template: String, text: String) {
    let value = FieldText(
      "k", .text("x"), .number(2.5, fractionDigits: 2),
      templates: [.english: FieldText.Template(other: template)])
    #expect(value.string() == text)
  }

  @Test("localized strings don't search arguments for arguments, and show the key as a last resort")
  func literal() {
    #expect(
      FieldText("k", .text("{1}"), .text("y"), templates: [.english: "{0}{1}"]).string() == "{1}y")
    #expect(FieldText("meteorites.x", templates: [:]).string() == "meteorites.x")
  }

  @Test(
    "localized strings write numbers with exactly the requested digits, halves away from zero",
    arguments: [
      (21, 3, "21.000"), (78.400000000000006, 3, "78.400"), (132.69999999999999, 3, "132.700"),
      (992.5, 0, "993"),
      (0.5, 0, "1"), (0.49, 0, "0"), (1.5, 0, "2"), (2.5, 0, "3"), (2.0005, 3, "2.001"),
      (0.0005, 3, "0.001"), (0.0004999, 3, "0.000"),
      (-0.0004, 3, "0.000"), (-0.0005, 3, "-0.001"), (-0.0, 1, "0.0"), (0, 0, "0"),
      (9.9996, 3, "10.000"), (999.9999, 3, "1000.000"),
      (6e7, 3, "60000000.000"), (1e21, 1, "1000000000000000000000.0"), (1.5e-7, 3, "0.000"),
      (1.5e-7, 8, "0.00000015"),
      (.leastNonzeroMagnitude, 2, "0.00"), (0.07, 1, "0.1"), (0.05, 1, "0.1"), (0.04, 1, "0.0"),
      (0.005, 1, "0.0"), (.infinity, 3, "∞"), (-.infinity, 3, "-∞"), (.nan, 0, "NaN"),
      (12, -3, "12"),
    ] as [(Double, Int, String)])
  func numbers(value: Double, digits: Int, text: String) {
    #expect(NumberStyle.plain.string(value, fractionDigits: digits) == text)
  }

  @Test(
    "localized strings group digits according to the style",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1.000"), (-100_000, "-100.000"), (1_234_567, "1.234.567"),
      (Int.min, "-9.223.372.036.854.775.808"),
    ])
  func grouping(value: Int, text: String) {
    let style = NumberStyle(decimalSeparator: ",", groupingSeparator: ".")
    #expect(style.string(value) == text)
    #expect(style.string(60_000_000.5, fractionDigits: 2) == "60.000.000,50")
  }

  @Test(
    "localized strings write any number like Python's decimals",
    .enabled(if: Tool.isThere("python3")))
  func pythonDecimals() throws {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    var values: [(Double, Int)] = []
    for _ in 0..<Sample.rounds(4_000, 300, inDebug: 150) {
      values.append((Double(bitPattern: random.next()), Int.random(in: 0...20, using: &random)))
      values.append(
        (
          Double(Int.random(in: -99_999...99_999, using: &random)) / 2000,
          Int.random(in: 0...4, using: &random)
        ))
    }
    values.removeAll { !$0.0.isFinite }
    let input = values.map { "\($0.0) \($0.1)\n" }.joined()
    let script = """
      import sys
      from decimal import *
      getcontext().prec = 2000
      for line in sys.stdin:
        value, digits = line.split()
        number = Decimal(value).quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)
        print(f"{abs(number) if number == 0 else number:f}")
      """
    let output = try Tool.run("python3", "-c", script, input: Data(input.utf8))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == values.count)
    for (line, (value, digits)) in zip(lines, values) {
      #expect(
        NumberStyle.plain.string(value, fractionDigits: digits) == line,
        "seed \(seed): \(value), \(digits)")
    }
  }
}
