import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The stored form of a directory", .timeLimit(.minutes(60)))
struct StoredFormTests {
  @Test(
    "the stored form of a directory restores every record unchanged, whatever it contains",
    arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "civic.store").path
    var draw = Draw(seed)
    var records: [CivicRecord.ID: CivicRecord] = [:]
    for number in 0..<600 {
      let record = draw.record(number)
      records[record.id] = record
    }
    let first = FileStore<CivicRecord>(unsharedPath: path)
    // In two commits, so that interned texts are of more than one batch.
    let halves = [Array(records.values.prefix(200)), Array(records.values.dropFirst(200))]
    for half in halves {
      try await first.commit(Changes(upserting: half), checkpoint: nil, expecting: nil)
    }
    try await first.close()
    let second = FileStore<CivicRecord>(unsharedPath: path)
    let snapshot = try await second.snapshot()
    #expect(snapshot.count == records.count, "seed \(seed)")
    for record in snapshot { #expect(record == records[record.id], "seed \(seed)") }
    try await second.close()
  }

  @Test("the stored form of a directory is checked for the ID as strictly as it is read")
  func checking() throws {
    var draw = Draw(Sample.seed())
    let records = (0..<300).map { draw.record($0) }
    let rounds = Sample.rounds(2000, 40, inDebug: 10)
    #expect(try StoredBytes.misjudged(records, rounds: rounds, seed: Sample.seed()) == [])
  }

  @Test("the stored form of a unit with an ID, a name, and a parent takes at most 60 bytes")
  func small() throws {
    var writer = RecordWriter()
    let unit = CivicUnit(id: "u12345", name: "臺南市社會局第12345號服務台", parentID: "u1")
    try CivicRecord.unit(unit).write(to: &writer)
    #expect(writer.count < 60)
  }

  /// Draws records by chance: every value may be there or not.
  private struct Draw {
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func record(_ number: Int) -> CivicRecord {
      let owner = CivicUnit.ID(rawValue: "u\(number)")
      switch Int.random(in: 0..<13, using: &generator) {
      case 0:
        return .category(
          UnitCategory(
            id: .init(rawValue: "c\(number)"), name: text(), details: optional { $0.text() },
            iconName: optional { $0.text() }, keywords: texts(),
            createdAt: optional { $0.date() }, updatedAt: optional { $0.date() }))
      case 1:
        return .memberships(
          owner,
          list { draw in
            UnitMembership(
              unitID: draw.isTrue() ? owner : .init(rawValue: draw.text()),
              categoryID: .init(rawValue: draw.text()), updatedAt: draw.optional { $0.date() })
          })
      case 2:
        return .keyword(
          CivicKeyword(
            id: .init(rawValue: "k\(number)"), text: text(),
            kind: CategoryKind(rawValue: wholeNumber()), details: optional { $0.text() },
            createdAt: optional { $0.date() }, updatedAt: optional { $0.date() }))
      case 3:
        return .keywordLinks(
          owner.rawValue,
          list { draw in
            KeywordLink(
              objectID: draw.isTrue() ? owner.rawValue : draw.text(),
              keywordID: .init(rawValue: draw.text()), updatedAt: draw.optional { $0.date() })
          })
      case 4:
        return .synonyms(
          owner,
          list { draw in
            UnitSynonym(
              unitID: draw.isTrue() ? owner : .init(rawValue: draw.text()), text: draw.text())
          })
      case 5:
        return .banner(
          CivicBanner(
            id: .init(rawValue: "b\(number)"), name: text(), imageName: optional { $0.text() },
            updatedAt: optional { $0.date() }))
      case 6: return .search(SearchEntry("\(text())\(number)"))
      case 7:
        return .activity(
          CityActivity(
            id: .init(rawValue: "h\(number)"), title: text(), description: optional { $0.text() },
            published: optional { $0.date() }, isHidden: isTrue()))
      default: return .unit(unit(owner))
      }
    }

    private mutating func unit(_ id: CivicUnit.ID) -> CivicUnit {
      var unit = CivicUnit(id: id, name: text())
      unit.parentID = optional { CivicUnit.ID(rawValue: $0.text()) }
      unit.details = optional { $0.text() }
      unit.phones = phones()
      unit.faxes = phones()
      unit.email = optional { $0.text() }
      unit.website = optional { $0.text() }
      unit.keywords = texts()
      unit.iconName = optional { $0.text() }
      unit.field = optional { PlanField(rawValue: $0.text()) }
      unit.planPosition = optional { PlanPosition(x: $0.wholeNumber(), y: $0.wholeNumber()) }
      unit.nearbyPathID = optional { $0.text() }
      unit.createdAt = optional { $0.date() }
      unit.updatedAt = optional { $0.date() }
      return unit
    }

    private mutating func phones() -> PhoneList {
      // A text of the source, and numbers that no text would give.
      var list = PhoneList(optional { _ in "06-2991111#8492 / 06-6322231" })
      if isTrue() {
        list.numbers = self.list { draw in
          PhoneNumber(digits: draw.text(), extensionDigits: draw.optional { $0.text() })
        }
      }
      return list
    }

    private mutating func isTrue() -> Bool { Bool.random(using: &generator) }

    private mutating func optional<Value>(_ body: (inout Draw) -> Value) -> Value? {
      isTrue() ? body(&self) : nil
    }

    private mutating func list<Value>(_ body: (inout Draw) -> Value) -> [Value] {
      (0..<Int.random(in: 0...5, using: &generator)).map { _ in body(&self) }
    }

    private mutating func texts() -> [String] { list { $0.text() } }

    private mutating func text() -> String {
      let words = ["", "社會局", "甲", "a", " ", "null", "e\u{301}", "🏛", "\0", "\n"]
      return list { words[Int.random(in: 0..<words.count, using: &$0.generator)] }.joined()
    }

    private mutating func wholeNumber() -> Int {
      isTrue()
        ? Int.random(in: -500...500, using: &generator)
        : Int.random(in: .min ... .max, using: &generator)
    }

    private mutating func date() -> Date {
      Date(timeIntervalSinceReferenceDate: Double.random(in: -1e10...1e10, using: &generator))
    }
  }
}
