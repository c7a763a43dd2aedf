import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

// C5 of Docs/old-apps.md
@Suite("A search compared with a full scan", .timeLimit(.minutes(60)))
struct SearchModelTests {
  @Test(
    "a search gives a full scan's units in the same order for all options, after every change",
    .heavy,
    arguments: Sample.of([21, 22, 23] as [UInt64], 1))
  func model(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let directory = try CivicFixture(isFilled: false).directory
    for round in 0..<Sample.rounds(40, 40, inDebug: 14) {
      let edits = round == 0 ? 160 : Int.random(in: 0...6, using: &random)
      // The numbers come first, since an edit may run anew.
      var generators = (0..<edits).map { _ in SeededGenerator(seed: random.next()) }
      try await directory.edit { edit in
        for place in generators.indices { try Self.change(&edit, &generators[place]) }
      }
      let view = try await directory.view()
      for _ in 0..<12 {
        let search = CivicSearch(
          Self.text(6, &random), words: Bool.random(using: &random) ? .any : .all,
          fields: CivicSearch.Fields(rawValue: UInt8.random(in: 0...15, using: &random)),
          limit: Int.random(in: 0..<4, using: &random) == 0 ? 3 : nil)
        let comment = "seed \(seed), round \(round), \(search)"
        let expected = Self.naive(search, in: view)
        let hits = view.search(search)
        #expect(hits.map(\.id) == Array(expected.prefix(search.limit ?? .max)), "\(comment)")
        #expect(view.count(search) == expected.count, "\(comment)")
        for hit in hits { Self.check(hit, of: search, "\(comment)") }
      }
    }
  }

  @Test(
    "a search gives a full scan's units from a file, whichever have been decoded",
    arguments: Sample.of([24, 25], 1))
  func fromFile(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let fileSystem = MemoryFileSystem()
    func open() throws -> CivicDirectory {
      let storage = Storage(
        FileSystemStorage("/data", fileSystem, clock: ManualClock(now: CivicFixture.now)))
      return try CivicFixture(storage: storage, isFilled: false).directory
    }
    for round in 0..<6 {
      let directory = try open()
      let edits = round == 0 ? 1_500 : 4
      var generators = (0..<edits).map { _ in SeededGenerator(seed: random.next()) }
      try await directory.edit { edit in
        for place in generators.indices { try Self.change(&edit, &generators[place], of: 1_100) }
      }
      try await directory.close()
      let (reopened, other) = (try open(), try open())
      let (view, model) = (try await reopened.view(), try await other.view())
      #expect(model.units.count > 500)
      for _ in 0..<8 {
        let search = CivicSearch(
          Self.text(3, &random), words: Bool.random(using: &random) ? .any : .all,
          fields: CivicSearch.Fields(rawValue: UInt8.random(in: 0...3, using: &random)),
          limit: Int.random(in: 0..<4, using: &random) == 0 ? 3 : nil)
        let expected = Self.naive(search, in: model)
        let hits = view.search(search)
        #expect(
          hits.map(\.id) == Array(expected.prefix(search.limit ?? .max)), "seed \(seed), \(search)")
        #expect(hits.allSatisfy { model[$0.id] == $0.unit }, "seed \(seed), \(search)")
        #expect(view.count(search) == expected.count, "seed \(seed), \(search)")
      }
      try await reopened.close()
      try await other.close()
    }
  }

  private static let signs = [
    "社", "會", "臺", "台", "南", "a", "Ａ", "e\u{301}", "é", "%", " ", "\u{3000}", "👩‍👧", "👩", "か\u{3099}",
    "ﬃ", "\u{200D}", "🇹🇼", "क", "ि",
  ]

  private static func text(_ most: Int, _ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      signs.randomElement(using: &random) ?? ""
    }.joined()
  }

  private static func change(
    _ edit: inout CivicEdit, _ random: inout SeededGenerator, of count: Int = 120
  ) throws {
    let id = CivicUnit.ID(rawValue: "u\(Int.random(in: 0..<count, using: &random))")
    let word = "x" + text(3, &random) + "x"
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: edit.delete(CivicUnit.self, id: id)
    case 2: try edit.upsert(UnitSynonym(unitID: id, text: word))
    case 3:
      let keyword = CivicKeyword.ID(rawValue: "k\(Int.random(in: 0..<5, using: &random))")
      try edit.upsert(CivicKeyword(id: keyword, text: word))
      try edit.upsert(KeywordLink(objectID: id.rawValue, keywordID: keyword))
    default:
      try edit.upsert(
        CivicUnit(
          id: id,
          name: Bool.random(using: &random) ? text(6, &random) + "x" : "x" + text(6, &random),
          details: Bool.random(using: &random) ? text(12, &random) : nil,
          keywords: Bool.random(using: &random) ? [word] : []))
    }
  }

  /// Every unit looked at, one by one.
  private static func naive(_ search: CivicSearch, in view: CivicView) -> [CivicUnit.ID] {
    let whole = TextFolding.fold(search.text)
    var tokens: [String] = []
    for token in whole.split(separator: " ").map(String.init) where !tokens.contains(token) {
      tokens.append(token)
    }
    let texts = Dictionary(uniqueKeysWithValues: view.keywords.map { ($0.id, $0.text) })
    var finds: [(id: CivicUnit.ID, count: Int, rank: Int)] = []
    for unit in view.units {
      let name = Array(TextFolding.fold(unit.name).utf8)
      let words =
        unit.keywords
        + view.keywordLinks.filter { $0.objectID == unit.id.rawValue }
        .compactMap { texts[$0.keywordID] }
      let synonyms = view.synonyms.filter { $0.unitID == unit.id }.map(\.text)
      var (count, best) = (0, Int.max)
      for token in tokens {
        var ranks: [Int] = []
        if search.fields.contains(.name), has([unit.name], token) {
          let isWhole = name == Array(whole.utf8)
          ranks.append(isWhole ? 0 : name.starts(with: token.utf8) ? 1 : 2)
        }
        if search.fields.contains(.keywords), has(words, token) { ranks.append(3) }
        if search.fields.contains(.synonyms), has(synonyms, token) { ranks.append(3) }
        if search.fields.contains(.details), has([unit.details ?? ""], token) { ranks.append(4) }
        if !ranks.isEmpty { count += 1 }
        best = min(best, ranks.min() ?? .max)
      }
      if count >= (search.words == .all ? max(1, tokens.count) : 1) {
        finds.append((unit.id, count, best))
      }
    }
    // Equals stay in the order of the table.
    return finds.enumerated().sorted { left, right in
      (-left.element.count, left.element.rank, left.offset)
        < (-right.element.count, right.element.rank, right.offset)
    }.map(\.element.id)
  }

  private static func has(_ texts: [String], _ token: String) -> Bool {
    let token = Array(token.utf8)
    return texts.contains { text in
      let bytes = Array(TextFolding.fold(text).utf8)
      return bytes.indices.contains { bytes[$0...].starts(with: token) }
    }
  }

  private static func check(_ hit: CivicHit, of search: CivicSearch, _ comment: String) {
    for (text, ranges, field) in [
      (hit.unit.name, hit.nameRanges, CivicSearch.Fields.name),
      (hit.unit.details ?? "", hit.detailRanges, .details),
    ] {
      #expect(ranges.isEmpty != hit.fields.contains(field), "\(comment)")
      let bounds = Set(text.indices).union([text.endIndex])
      for range in ranges {
        #expect(
          !range.isEmpty && bounds.contains(range.lowerBound) && bounds.contains(range.upperBound),
          "\(comment), \(text.debugDescription): a highlight parts a character")
      }
      for (left, right) in zip(ranges, ranges.dropFirst()) {
        #expect(left.upperBound < right.lowerBound, "\(comment): highlights touch")
      }
    }
  }
}
