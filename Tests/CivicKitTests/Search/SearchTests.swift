import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

// C5 of Docs/old-apps.md
@Suite("A search over units", .timeLimit(.minutes(60)))
struct CivicSearchTests {
  private static func directory(_ units: [CivicUnit]) async throws -> CivicDirectory {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.edit { edit in for unit in units { try edit.upsert(unit) } }
    return directory
  }

  // C5 of Docs/old-apps.md
  @Test(
    "a search returns whole names first, then prefixes, names, descriptions, then by table")
  func ranked() async throws {
    let directory = try await Self.directory([
      CivicUnit(id: "1", name: "甲", details: "社會"), CivicUnit(id: "2", name: "市社會局"),
      CivicUnit(id: "3", name: "社會局"), CivicUnit(id: "4", name: "社會"),
      CivicUnit(id: "5", name: "社會科"), CivicUnit(id: "6", name: "乙"),
    ])
    #expect(try await directory.search("社會").map(\.id) == ["4", "3", "5", "2", "1"])
    #expect(try await directory.search(CivicSearch("社會", limit: 2)).map(\.id) == ["4", "3"])
    #expect(try await directory.view().count(CivicSearch("社會", limit: 2)) == 5)
  }

  // C5 of Docs/old-apps.md
  @Test("a search over units handles a text of very many words")
  func manyWords() async throws {
    let directory = try await Self.directory([CivicUnit(id: "1", name: "字7")])
    let text = (0..<Sample.rounds(100_000, 100_000, inDebug: 30_000)).map { "字\($0)" }.joined(
      separator: " ")
    #expect(try await directory.search(text).map(\.id) == ["1"])
    #expect(try await directory.searchEverything(text).units.map(\.id) == ["1"])
  }

  // C5 of Docs/old-apps.md
  @Test(
    "a search over units counts its results in each field", arguments: ["社會", "社會 福利", "甲", ""])
  func counted(_ text: String) async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    let view = try await directory.view()
    for fields in [CivicSearch.Fields.name, .details, [.name, .details], .all] {
      let search = CivicSearch(text, fields: fields)
      #expect(view.count(search) == view.search(search).count)
    }
  }

  // C5 of Docs/old-apps.md
  @Test(
    "a search over units matches any or all words, each in name or description, more words first")
  func words() async throws {
    let directory = try await Self.directory([
      CivicUnit(id: "1", name: "社會局"), CivicUnit(id: "2", name: "福利科", details: "社會"),
      CivicUnit(id: "3", name: "福利"),
    ])
    #expect(try await directory.search(" 社會\u{3000}福利 ").map(\.id) == ["2", "1", "3"])
    #expect(
      try await directory.search(CivicSearch("社會 福利", words: .all)).map(\.id) == ["2"])
    #expect(
      try await directory.search(CivicSearch("社會 福利", words: .all, fields: .name)).isEmpty)
  }

  // C5 of Docs/old-apps.md
  @Test(
    "a search over units folds 臺 and 台, width, and case",
    arguments: ["台南", "臺南", "ｗｉｆｉ", "WIFI", "wi fi".replacing(" ", with: "")])
  func folded(_ text: String) async throws {
    let directory = try await Self.directory([CivicUnit(id: "1", name: "臺南 WiFi")])
    #expect(try await directory.search(text).count == 1)
  }

  // C5 of Docs/old-apps.md
  @Test("a search over units highlights matches in their original spelling")
  func highlights() async throws {
    let directory = try await Self.directory([
      CivicUnit(id: "1", name: "臺南市社會局社會科", details: "關於ＷｉＦｉ")
    ])
    let hit = try #require(try await directory.search("台南市 南市社 社會 wifi").first)
    #expect(hit.nameRanges.map { String(hit.unit.name[$0]) } == ["臺南市社會", "社會"])
    #expect(hit.detailRanges.map { String((hit.unit.details ?? "")[$0]) } == ["ＷｉＦｉ"])
    #expect(hit.wordCount == 4)
    // Adjacent ranges are one.
    let adjacent = try #require(try await directory.search("台南 市社").first)
    #expect(adjacent.nameRanges.map { String(adjacent.unit.name[$0]) } == ["臺南市社"])
  }

  // C5 of Docs/old-apps.md
  @Test("a search over units searches keywords and synonyms on request")
  func keywordsAndSynonyms() async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    try await directory.upsert(UnitSynonym(unitID: "u1", text: "檢舉"))
    try await directory.upsert(UnitSynonym(unitID: "nobody", text: "檢舉"))
    try await directory.upsert(CivicUnit(id: "u6", name: "己", keywords: ["民治市政中心"]))
    #expect(try await directory.search("檢舉").isEmpty)
    let hits = try await directory.search(CivicSearch("檢舉", fields: .synonyms))
    #expect(hits.map(\.id) == ["u1"])
    #expect(hits[0].fields == .synonyms)
    #expect(
      try await directory.search(CivicSearch("民治", fields: .all)).map(\.id) == ["u6"])
    #expect(
      try await directory.search(CivicSearch("市府設施", fields: [.name, .keywords])).map(\.id)
        == ["u3"])
  }

  @Test("a search over everything is grouped")
  func everything() async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    let findings = try await directory.searchEverything("社會")
    #expect(findings.units.map(\.id) == ["u2", "u4", "u1"])
    #expect(findings.banners.map(\.name) == ["社會企業"])
    #expect(findings.categories.isEmpty)
    #expect(try await directory.searchEverything("公車").apps.count == 1)
    #expect(try await directory.searchEverything("廁所").categories.map(\.id) == ["c3"])
    #expect(try await directory.searchEverything(" ").isEmpty)
    #expect(findings.count == 4)
  }

  @Test("a search groups keywords and synonyms, including those of missing units")
  func wordGroups() async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    try await directory.upsert(UnitSynonym(unitID: "nobody", text: "檢舉"))
    try await directory.upsert(CivicKeyword(id: "k9", text: "檢舉信箱", details: "申訴"))
    let findings = try await directory.searchEverything("檢舉")
    #expect(findings.units.isEmpty && findings.keywords.map(\.id) == ["k9"])
    #expect(findings.synonyms == [UnitSynonym(unitID: "nobody", text: "檢舉")])
    #expect(findings.count == 2 && !findings.isEmpty)
    #expect(try await directory.searchEverything("申訴").keywords.count == 1)
    #expect(try await directory.searchEverything("檢舉 申訴", words: .all).synonyms.isEmpty)
    try await directory.delete(CivicKeyword.self, id: "k9")
    try await directory.delete(UnitSynonym.self, id: findings.synonyms[0].id)
    #expect(try await directory.searchEverything("檢舉").isEmpty)
  }

  // C6 of Docs/old-apps.md
  @Test("a search records itself in the history on request, once, whatever it finds")
  func recorded() async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    _ = try await directory.search("社會")
    _ = try await directory.searchEverything("社會")
    #expect(try await directory.searchHistory.entries().isEmpty)
    let hits = try await directory.search(" 社會 ", recordingInHistory: true)
    #expect(hits.count == (try await directory.search("社會")).count)
    _ = try await directory.search(CivicSearch("沒有", fields: .name), recordingInHistory: true)
    #expect(try await directory.searchEverything("廁所", recordingInHistory: true).count > 0)
    _ = try await directory.searchEverything("社會", recordingInHistory: true)
    _ = try await directory.searchEverything(" ", recordingInHistory: true)
    #expect(try await directory.searchHistory.entries().map(\.text) == ["社會", "沒有", "廁所"])
  }

  // C3 of Docs/old-apps.md
  @Test("a tile is found by its whole name, folded, and by its kind")
  func tiles() async throws {
    let directory = try CivicFixture().directory
    try await directory.refresh()
    #expect(try await directory.category(named: "廁所")?.id == "c3")
    #expect(try await directory.category(named: "廁所", of: .facility)?.id == "c3")
    #expect(try await directory.category(named: "廁所", of: .administrative) == nil)
    for name in ["廁", "", " ", "沒有"] {
      #expect(try await directory.category(named: name) == nil)
    }
    try await directory.upsert(UnitCategory(id: "c8", name: "臺南WiFi"))
    try await directory.upsert(UnitCategory(id: "c9", name: "台南wifi"))
    #expect(try await directory.category(named: " 臺南ｗｉｆｉ ")?.id == "c8")
    #expect(try await directory.category(named: "台南wifi")?.id == "c9")
    try await directory.delete(UnitCategory.self, id: "c3")
    #expect(try await directory.category(named: "廁所") == nil)
  }

  @Test("a search finds the results of a naive search after every change")
  func naive() async throws {
    let seed: UInt64 = 0xC171C
    var random = SeededGenerator(seed: seed)
    let directory = try CivicFixture(isFilled: false).directory
    let signs = Array("社會福利臺台南a%_ ")
    func text(_ most: Int) -> String {
      let count = Int.random(in: 1...most, using: &random)
      return String((0..<count).map { _ in signs.randomElement(using: &random) ?? "社" })
    }
    var names: [CivicUnit.ID: String] = [:]
    for round in 0..<60 {
      try await directory.edit { edit in
        for _ in 0..<(round == 0 ? 150 : 3) {
          let id = CivicUnit.ID(rawValue: "u\(Int.random(in: 0..<200, using: &random))")
          if Int.random(in: 0..<4, using: &random) == 0 {
            edit.delete(CivicUnit.self, id: id)
            names[id] = nil
          } else {
            let name = "x" + text(8)
            try edit.upsert(CivicUnit(id: id, name: name))
            names[id] = name
          }
        }
      }
      let query = text(5)
      let words = TextFolding.fold(query).split(separator: " ").map(String.init)
      let expected = names.filter { name in
        words.contains { TextFolding.fold(name.value).contains($0) }
      }
      let hits = try await directory.search(CivicSearch(query, fields: .name))
      #expect(
        Set(hits.map(\.id)) == Set(expected.keys),
        "seed \(seed), round \(round), query \(query)")
      #expect(Set(hits.map(\.id)).count == hits.count)
      let count = try await directory.view().count(CivicSearch(query, fields: .name))
      #expect(count == hits.count, "seed \(seed), round \(round), query \(query)")
    }
  }
}
