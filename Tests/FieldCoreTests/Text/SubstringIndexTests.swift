import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Substring index", .heavy)
struct SubstringIndexTests {
  @Test(
    "a substring index finds the texts that contain a query, in Latin and in Han",
    arguments: [
      ("osterplana", [1]), ("ÖSTERPLANA 04", [1]), ("a", [0, 1, 4]), ("ac", [0]), ("aache", [0]),
      ("aachen", [0]), ("aachens", []), ("台", [2, 3]), ("臺北車站", [2, 3]), ("北", [2, 3]),
      ("站", [2, 3]),
      ("車站\u{3000}", [2, 3]), ("ва", [5]), ("ж", []), ("москва", [5]), ("048", [1]), ("  a a", []),
      ("a b", [4]),
      ("a  b", [4]), ("b\u{0}c", [4]), ("\u{0}", [0, 1, 2, 3, 4, 5, 6]),
      ("", [0, 1, 2, 3, 4, 5, 6]),
    ] as [(String, [Int32])])
  func matches(query: String, positions: [Int32]) {
    let index = SubstringIndex(
      ["Aachen", "Österplana 048", "台北車站", "臺北車站 (台北)", "a b  c", "Москва", ""])
    #expect(index.matches(query) == positions)
  }

  @Test(
    "a substring index finds all words or any of them on request",
    arguments: [
      ("社會 福利", SubstringIndex.Words.all, [0, 3]), ("社會 福利", .any, [0, 1, 2, 3]),
      ("社會 福利", .asOneText, [3]), ("福利 社會 社會", .all, [0, 3]), ("福利  無", .all, []),
      ("無 福利", .any, [0, 2, 3]),
      ("社會", .all, [0, 1, 3]), (" ", .any, [0, 1, 2, 3, 4]), ("f 社會", .all, [3]),
    ] as [(String, SubstringIndex.Words, [Int32])])
  func words(query: String, words: SubstringIndex.Words, positions: [Int32]) {
    let index = SubstringIndex(["社會局福利科", "社會局", "福利", "社會 福利 F", ""])
    #expect(index.matches(query, words: words) == positions)
  }

  @Test("a substring index returns the results of a plain search, for random texts and queries")
  func property() {
    let seed = Sample.seed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<Sample.rounds(60, 9, inDebug: 6) {
      // Few different letters, so that there is much to find; some texts are empty.
      let letters = round % 3 == 0 ? ["a", "b"] : ["a", "b", "ö", "ж", "台", "北", "😀", " ", "ß"]
      func text(_ length: ClosedRange<Int>) -> String {
        (0..<Int.random(in: length, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? ""
        }.joined()
      }
      let texts = (0..<Int.random(in: 0...300, using: &random)).map { _ in text(0...12) }
      let folded = texts.map { Array(TextFolding.fold($0).utf8) }
      let index = SubstringIndex(texts)
      #expect(index.count == texts.count)
      for _ in 0..<40 {
        let query = text(0...5)
        let key = Array(TextFolding.fold(query).utf8)
        let found = folded.indices.filter { folded[$0].contains(key) }.map { Int32($0) }
        #expect(
          index.matches(query) == found, "seed \(seed), round \(round): \(query.debugDescription)")
        let begun = index.matches(beginningWith: key)
        #expect(begun.map(\.position) == found, "seed \(seed), round \(round)")
        for (position, beginning) in begun {
          let text = folded[Int(position)]
          let expected: SubstringIndex.Beginning =
            text == key ? .equal : text.starts(with: key) ? .begins : .other
          #expect(beginning == expected, "seed \(seed), round \(round)")
          #expect(index.beginning(of: Int(position), with: key) == expected)
        }
        let parts = key.split(separator: 0x20).map { Array($0) }
        let all = folded.indices.filter { at in parts.allSatisfy { folded[at].contains($0) } }
        #expect(
          index.matches(query, words: .all) == all.map { Int32($0) }, "seed \(seed), round \(round)"
        )
        let any = folded.indices.filter { at in
          parts.isEmpty || parts.contains { folded[at].contains($0) }
        }
        #expect(
          index.matches(query, words: .any) == any.map { Int32($0) }, "seed \(seed), round \(round)"
        )
      }
    }
  }

  @Test("a substring index accepts very long queries and texts")
  func long() {
    let text = String(repeating: "abc", count: 50_000)
    let index = SubstringIndex([text, text + "d", ""])
    #expect(index.matches(text) == [0, 1])
    #expect(index.matches(text + "d") == [1])
    #expect(index.matches(text + "dd") == [])
    #expect(index.matches("cd") == [1])
  }

  @Test("a substring index is empty without texts")
  func empty() {
    let index = SubstringIndex([])
    #expect(index.count == 0)
    #expect(index.matches("abc") == [] && index.matches("a") == [] && index.matches("") == [])
  }

  @Test("a substring index accepts UTF-8 like text")
  func builder() {
    var builder = SubstringIndex.Builder()
    builder.reserve(texts: 2, bytes: 10)
    "Łódź".withUTF8Span { builder.append(utf8: $0) }
    builder.append("lodz")
    let index = builder.finish()
    #expect(index.matches("ŁÓD") == [0, 1])
    #expect(index.foldedText(at: 0) == "lodz")
  }

  @Test(
    "a substring index finds the same in the meteorites' names as a plain search",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func meteorites() throws {
    let names = try Self.meteoriteNames()
    #expect(names.count == 45_716)
    let index = SubstringIndex(names)
    #expect(index.matches("mountain").count == 3_825)
    // 63 times Österplana, once Osterplana.
    #expect(index.matches("osterplana").count == 64)
    let folded = names.map { Array(TextFolding.fold($0).utf8) }
    let queries = [
      "nova", "northwest africa 58", "ö", "'", "(b)", "lu", "48", "queen alexandra range 9",
    ]
    for query in Sample.of(queries, 2, inDebug: 1) {
      let key = Array(TextFolding.fold(query).utf8)
      let plain = folded.indices.filter { folded[$0].contains(key) }
      #expect(index.matches(query) == plain.map { Int32($0) }, "\(query)")
    }
  }

  /// The names of the official table: the first column, which has neither quotes nor commas.
  static func meteoriteNames() throws -> [String] {
    let bytes = try SharedData.bytes("meteor/full_legacy_Meteorite_Landings_2025.csv")
    return bytes.split(separator: 0x0A).dropFirst().compactMap { line in
      line.split(separator: 0x2C, maxSplits: 1).first.map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
