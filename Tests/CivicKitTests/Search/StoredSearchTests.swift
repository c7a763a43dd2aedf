import FieldCore
import Foundation
import TestSupport
import Testing

@testable import CivicKit

// C5 of Docs/old-apps.md
@Suite("Searches with stored indexes", .timeLimit(.minutes(60)))
struct StoredSearchTests {
  private static let path = "/data/civic.store"
  private static let derived = path + ".derived"

  private let files = MemoryFileSystem()

  private func store(
    program: UInt8 = 1, access: StoreAccess = .readWrite
  ) -> FileStore<CivicRecord> {
    FileStore<CivicRecord>(
      unsharedPath: Self.path, access: access, fileSystem: files, patience: .seconds(600),
      program: { [program] })
  }

  /// Returns the names of the sections that are stored beside the file.
  private func sections() -> [DerivedFile.Section] {
    guard let bytes = files[Self.derived], bytes.count > 32 else { return [] }
    let file = DerivedFile(creationID: Array(bytes[16..<32])) { _, _ in
      true
    } _: { place, count in
      Array(bytes.dropFirst(place).prefix(count))
    }
    return file?.sections ?? []
  }

  // MARK: Stored texts

  // C5 of Docs/old-apps.md
  @Test("a search in a new process reads the texts that an earlier one has stored")
  func reading() async throws {
    let writer = store()
    try await writer.commit(
      Changes(
        upserting: (0..<1_000).map {
          .unit(CivicUnit(id: .init(rawValue: "u\($0)"), name: "unit \($0) old name"))
        }),
      checkpoint: nil, expecting: nil)
    let first = CivicView(of: try await writer.snapshot())
    #expect(first.search(CivicSearch("old name")).count == 1_000)
    try await writer.close()
    let stored = sections()
    #expect(Set(stored.map(\.name)).isSuperset(of: ["names", "details"]))
    // A text that only the stored index contains shows that nobody has built another.
    var file = DerivedFile(creationID: Array(try #require(files[Self.derived])[16..<32]))
    for var section in stored.reversed() {
      if section.name == "names" {
        let text = Array("unit 777 old".utf8)
        let place = try #require(
          section.bytes.indices.first { section.bytes[$0...].starts(with: text) })
        section.bytes.replaceSubrange(place..<place + text.count, with: "unit 777 new".utf8)
      }
      file.put(section)
    }
    files[Self.derived] = file.bytes
    let reader = store(access: .readOnly)
    let view = CivicView(of: try await reader.snapshot())
    #expect(view.search(CivicSearch("new", fields: .name)).map(\.id) == ["u777"])
    try await reader.close()
    // Another program builds its own.
    let other = store(program: 2, access: .readOnly)
    #expect(CivicView(of: try await other.snapshot()).count(CivicSearch("new")) == 0)
    try await other.close()
  }

  // MARK: Changes

  @Test("the words of a view stay the same until a commit changes units, keywords, or synonyms")
  func words() async throws {
    let store = InMemoryStore<CivicRecord>(
      [
        .unit(CivicUnit(id: "u1", name: "社會局")),
        .synonyms("u1", [UnitSynonym(unitID: "u1", text: "福利")]),
      ])
    let before = try await store.snapshot()
    func areAffected(by records: CivicRecord...) async throws -> Bool {
      let after = before.applying(Changes(upserting: records))
      let changes = try #require(SlotChanges(from: before, to: after))
      return SearchWords.areAffected(by: changes)
    }
    #expect(try await !areAffected(by: .search(SearchEntry("社會"))))
    #expect(try await !areAffected(by: .launch(LaunchFlag(rawValue: "first"))))
    #expect(try await !areAffected(by: .unit(CivicUnit(id: "u1", name: "other"))))
    #expect(try await areAffected(by: .unit(CivicUnit(id: "u1", name: "", keywords: ["a"]))))
    #expect(try await areAffected(by: .unit(CivicUnit(id: "u2", name: "社會局"))))
    #expect(try await areAffected(by: .synonyms("u1", [])))
    #expect(try await areAffected(by: .keyword(CivicKeyword(id: "k", text: "k"))))
  }

  // C5 of Docs/old-apps.md
  @Test(
    "the tables and searches of a view are those of a fresh one, after any change of the file",
    arguments: Sample.of(Array<UInt64>(1...40), 8, inDebug: 2))
  func model(seed: UInt64) async throws {
    let seed = seed &+ Sample.seed()
    var chance = SeededGenerator(seed: seed)
    var stores = [store(), store(), store(program: 2)]
    var views: [CivicView?] = [nil, nil, nil]
    var kept: [(file: [UInt8]?, derived: [UInt8]?)] = []
    try await stores[0].commit(
      Changes(upserting: (0..<600).map { _ in Self.record(&chance) }), checkpoint: nil,
      expecting: nil)
    for step in 0..<24 {
      let place = Int.random(in: 0..<stores.count, using: &chance)
      switch Int.random(in: 0..<14, using: &chance) {
      case 0: try await stores[place].core().tryCompacting(stores[place].snapshot())
      case 1: kept.append((files[Self.path], files[Self.derived]))
      case 2:
        guard let copy = kept.randomElement(using: &chance) else { break }
        for store in stores { try await store.close() }
        files[Self.path] = copy.file
        if Bool.random(using: &chance) { files[Self.derived] = copy.derived }
        stores = [store(), store(), store(program: 2)]
        views = [nil, nil, nil]
      case 3:
        guard var bytes = files[Self.derived], !bytes.isEmpty else { break }
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] ^= 0x10
        files[Self.derived] = bytes
      case 4...7:
        try await stores[place].close()
        stores[place] = store(program: place == 2 ? 2 : 1)
        views[place] = nil
      default: break
      }
      for _ in 0..<([0, 1, 1, 3].randomElement(using: &chance) ?? 0) {
        var changes = Changes<CivicRecord>()
        for _ in 0..<([1, 1, 1, 12, 300].randomElement(using: &chance) ?? 1) {
          let record = Self.record(&chance)
          if Int.random(in: 0..<4, using: &chance) == 0 {
            changes.remove(record.id)
          } else {
            changes.upsert(record)
          }
        }
        try await stores[place].commit(changes, checkpoint: nil, expecting: nil)
      }
      let snapshot = try await stores[place].snapshot()
      let view = CivicView(of: snapshot, after: views[place])
      views[place] = view
      let model = CivicView(of: Snapshot(Array(snapshot)))
      let comment = "step \(step), seed \(seed)"
      if Bool.random(using: &chance) { Self.compare(view, model, comment) }
      for _ in 0..<4 {
        let search = CivicSearch(
          Self.text(3, &chance), words: Bool.random(using: &chance) ? .any : .all,
          fields: CivicSearch.Fields(rawValue: UInt8.random(in: 0...15, using: &chance)))
        #expect(view.search(search) == model.search(search), "\(search), \(comment)")
        #expect(view.count(search) == model.count(search), "\(search), \(comment)")
      }
    }
  }

  private static func compare(_ view: CivicView, _ model: CivicView, _ comment: String) {
    #expect(view.units == model.units, "\(comment)")
    #expect(view.categories == model.categories, "\(comment)")
    #expect(view.memberships == model.memberships, "\(comment)")
    #expect(view.keywords == model.keywords, "\(comment)")
    #expect(view.keywordLinks == model.keywordLinks, "\(comment)")
    #expect(view.synonyms == model.synonyms, "\(comment)")
    #expect(view.searchHistory == model.searchHistory, "\(comment)")
    #expect(view.launchFlags == model.launchFlags, "\(comment)")
    for number in 0..<9 {
      let kind = CategoryKind(rawValue: number)
      #expect(view.units(of: kind) == model.units(of: kind), "\(comment)")
      #expect(view.categories(of: kind) == model.categories(of: kind), "\(comment)")
      let category = UnitCategory.ID(rawValue: "c\(number)")
      #expect(view.units(in: category) == model.units(in: category), "\(comment)")
      let unit = CivicUnit.ID(rawValue: "u\(number)")
      #expect(view.detail(of: unit) == model.detail(of: unit), "\(comment)")
    }
  }

  private static let signs = ["社", "會", "臺", "台", "南", "a", "Ａ", "e\u{301}", " ", "x"]

  private static func text(_ most: Int, _ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      signs.randomElement(using: &random) ?? ""
    }.joined()
  }

  /// Returns a record of any table, mostly a unit, with one of some hundred keys.
  private static func record(_ random: inout SeededGenerator) -> CivicRecord {
    let number = Int.random(in: 0..<500, using: &random)
    let unit = CivicUnit.ID(rawValue: "u\(number)")
    let few = Int.random(in: 0..<9, using: &random)
    let keyword = CivicKeyword.ID(rawValue: "k\(few)")
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return .category(UnitCategory(id: .init(rawValue: "c\(few)"), name: text(3, &random)))
    case 1:
      let links = [few, few / 2].uniqued().map {
        UnitMembership(unitID: unit, categoryID: .init(rawValue: "c\($0)"))
      }
      return .memberships(unit, links)
    case 2:
      return .keyword(
        CivicKeyword(
          id: keyword, text: text(3, &random),
          kind: CategoryKind(rawValue: .random(in: 0..<4, using: &random))))
    case 3:
      let owner = Bool.random(using: &random) ? unit.rawValue : "c\(few)"
      return .keywordLinks(owner, [KeywordLink(objectID: owner, keywordID: keyword)])
    case 4: return .synonyms(unit, [UnitSynonym(unitID: unit, text: text(3, &random))])
    case 5: return .search(SearchEntry(text(3, &random)))
    case 6: return .launch(LaunchFlag(rawValue: "\(few)"))
    default:
      return .unit(
        CivicUnit(
          id: unit, name: text(6, &random),
          parentID: Bool.random(using: &random) ? .init(rawValue: "u\(few)") : nil,
          details: Bool.random(using: &random) ? text(9, &random) : nil,
          keywords: few == 0 ? [text(3, &random)] : []))
    }
  }
}
