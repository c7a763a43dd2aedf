import FieldCore
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A history with a stored order", .timeLimit(.minutes(60)))
struct StoredHistoryTests {
  private static let path = "/data/walks.store"
  private static let derived = path + ".derived"
  private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private let files = MemoryFileSystem()

  private func store(
    program: UInt8 = 1, access: StoreAccess = .readWrite
  ) -> FileStore<WalkRecord> {
    FileStore<WalkRecord>(
      unsharedPath: Self.path, access: access, fileSystem: files, patience: .seconds(600),
      program: { [program] })
  }

  private static func pet(_ number: Int) -> Pet.ID { Pet.ID(rawValue: "p\(number)") }

  private static func walk(_ id: Int, _ pets: [Int], hour: Int) -> Walk {
    let start = Self.start + Double(hour) * 3_600
    return Walk(
      id: Walk.ID(rawValue: "w\(id)"), pets: pets.map { .init(pet: pet($0), joined: start) },
      start: start, end: start + 60, utcOffset: .seoul)
  }

  // MARK: New processes

  @Test("the first page of a new process, of all pets or one, is read by the stored order")
  func reading() async throws {
    let writer = store()
    try await writer.commit(
      Changes(
        upserting: (0..<401).map { WalkRecord(.walk(Self.walk($0, [0, 0], hour: $0))) }),
      checkpoint: nil, expecting: nil)
    let query = WalkQuery(pet: Self.pet(0), limit: 8)
    let page = try WalkView(try await writer.snapshot(), after: nil).page(query)
    #expect(page.map(\.id.rawValue) == (393...400).reversed().map { "w\($0)" })
    try await writer.close()
    // Two walks that only the stored order has in another order show that nobody has sorted them again.
    let bytes = try #require(files[Self.derived])
    var file = DerivedFile(creationID: Array(bytes[16..<32]))
    let stored = DerivedFile(creationID: file.creationID) { _, _ in
      true
    } _: { place, count in
      Array(bytes.dropFirst(place).prefix(count))
    }
    for var section in try #require(stored).sections.reversed() {
      if section.name == "walks" {
        // 397 and 396.
        let slots: [UInt8] = [0x8D, 1, 0, 0, 0x8C, 1, 0, 0]
        let bytes = section.bytes
        let found = bytes.indices.first { bytes[$0...].starts(with: slots) }
        let place = try #require(found)
        section.bytes.swapAt(place, place + 4)
      }
      file.put(section)
    }
    files[Self.derived] = file.bytes
    for (pet, program) in [(nil, 1), (Self.pet(0), 1), (Self.pet(0), 2)] as [(Pet.ID?, UInt8)] {
      let reader = store(program: program, access: .readOnly)
      let view = WalkView(try await reader.snapshot(), after: nil)
      let page = try view.page(WalkQuery(pet: pet, limit: 6))
      let order = program == 1 ? [400, 399, 398, 396, 397, 395] : [400, 399, 398, 397, 396, 395]
      #expect(page.map(\.id.rawValue) == order.map { "w\($0)" })
      try await reader.close()
    }
  }

  // MARK: Changes

  @Test(
    "pages are those of a plain list, after any commits, reopenings, compactions, and copies",
    arguments: Sample.of(Array<UInt64>(1...60), 12, inDebug: 3))
  func model(seed: UInt64) async throws {
    let seed = seed &+ Sample.seed()
    var chance = SeededGenerator(seed: seed)
    var stores = [store(), store(), store(program: 2)]
    var views: [WalkView?] = [nil, nil, nil]
    var kept: [(file: [UInt8]?, derived: [UInt8]?)] = []
    try await stores[0].commit(
      Changes(upserting: (0..<500).map { _ in Self.record(&chance) }), checkpoint: nil,
      expecting: nil)
    for step in 0..<30 {
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
        var changes = Changes<WalkRecord>()
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
      let view = WalkView(snapshot, after: views[place])
      views[place] = view
      let walks = snapshot.compactMap(\.walk).sorted(by: Walk.isNewer)
      for _ in 0..<6 {
        let first = Int.random(in: 0..<40, using: &chance)
        let hours = Int.random(in: -5..<40, using: &chance)
        let period =
          hours < 0
          ? nil
          : (Self.start + Double(first) * 3_600)..<(Self.start + Double(first + hours) * 3_600)
        let pet = Int.random(in: -1..<4, using: &chance)
        var query = WalkQuery(
          pet: pet < 0 ? nil : Self.pet(pet), period: period,
          limit: [1, 7, 40, 900].randomElement(using: &chance) ?? 1)
        let wanted = walks.filter { walk in
          (query.pet.map(walk.includes) ?? true) && (period?.contains(walk.start) ?? true)
        }
        var seen: [Walk] = []
        repeat {
          let page = try view.page(query)
          #expect(page.count <= query.limit)
          seen += page.walks
          query.after = page.next
        } while query.after != nil
        try #require(seen == wanted, "\(query), step \(step), seed \(seed)")
      }
    }
  }

  /// Returns a walk with one of some hundred IDs, of which many begin at the same time, or another record.
  private static func record(_ chance: inout SeededGenerator) -> WalkRecord {
    let id = Int.random(in: 0..<700, using: &chance)
    if id.isMultiple(of: 29) {
      return WalkRecord(
        .pet(Pet(id: pet(id), name: "\(id)", breed: .other, registered: start)))
    }
    // The last pet is on few of them.
    var pets = (0..<3).filter { _ in Bool.random(using: &chance) }
    if Int.random(in: 0..<40, using: &chance) == 0 { pets.append(3) }
    return WalkRecord(
      .walk(walk(id, pets, hour: .random(in: 0..<40, using: &chance))))
  }
}
