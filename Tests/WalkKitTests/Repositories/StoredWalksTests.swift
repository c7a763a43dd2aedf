import FieldCore
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("The stored walks", .timeLimit(.minutes(60)), .heavy)
struct StoredWalksTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  private func walk(_ id: Int, _ pets: Set<Int>, _ hour: Int) -> Walk {
    let start = Self.start + Double(hour) * 3_600
    return Walk(
      id: Walk.ID(rawValue: "w\(id)"),
      pets: pets.sorted().map { .init(pet: Pet.ID(rawValue: "p\($0)"), joined: start) },
      start: start, end: start + 60, utcOffset: .seoul)
  }

  @Test(
    "the stored walks are those of a plain list for any pet, period, and page, after any commits",
    arguments: Sample.of(1...4 as ClosedRange<UInt64>, 1))
  func model(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let walks = StoredWalks(store: InMemoryStore<WalkRecord>())
    for number in 0..<3 {
      try await walks.add(
        Pet(
          id: .init(rawValue: "p\(number)"), name: "\(number)", breed: .other,
          registered: Self.start))
    }
    var model: [Walk.ID: Walk] = [:]
    for step in 0..<400 {
      let id = Int.random(in: 0..<150, using: &chance)
      var pets = Set((0..<3).filter { _ in Bool.random(using: &chance) })
      if pets.isEmpty { pets = [0] }
      let walk = walk(id, pets, Int.random(in: 0..<40, using: &chance))
      switch Int.random(in: 0..<4, using: &chance) {
      case 0:
        try await walks.removeWalk(walk.id)
        model[walk.id] = nil
      case 1 where model[walk.id] != nil:
        try await walks.updateWalk(walk.id) { $0 = walk }
        model[walk.id] = walk
      default:
        try await walks.save(walk)
        model[walk.id] = model[walk.id] ?? walk
      }
      guard step % 5 == 0 else { continue }
      let pet = Int.random(in: -1..<3, using: &chance)
      let first = Int.random(in: 0..<40, using: &chance)
      let hours = Int.random(in: -5..<40, using: &chance)
      let period =
        hours < 0
        ? nil
        : (Self.start + Double(first) * 3_600)..<(Self.start + Double(first + hours) * 3_600)
      var query = WalkQuery(
        pet: pet < 0 ? nil : Pet.ID(rawValue: "p\(pet)"), period: period,
        limit: Int.random(in: 1..<30, using: &chance))
      let wanted = model.values.filter { walk in
        (query.pet.map(walk.includes) ?? true) && (period?.contains(walk.start) ?? true)
      }.sorted(by: Walk.isNewer)
      var seen: [Walk] = []
      repeat {
        let page = try await walks.walks(query)
        seen += page.walks
        query.after = page.next
      } while query.after != nil
      try #require(seen == wanted, "seed \(seed), step \(step)")
    }
  }

  @Test(
    "the stored walks reject bytes of a record that no writer wrote, and never trap",
    arguments: Sample.of(1...3 as ClosedRange<UInt64>, 1))
  func damage(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    var walk = walk(1, [0, 1], 3)
    walk.photos = [WalkPhoto(id: .init(rawValue: "a"), takenAt: Self.start, blob: BlobID(of: [1]))]
    walk.notes = [WalkNote(.poo, text: "x", time: Self.start)]
    walk.air = AirQuality(pm10: 3)
    walk.reward = WalkReward(of: walk.id, earned: Self.start)
    var writer = RecordWriter()
    try WalkRecord(.walk(walk)).write(to: &writer)
    let whole = writer.bytes
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &chance) {
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] = .random(
          in: 0...255, using: &chance)
      }
      let end =
        Bool.random(using: &chance) ? bytes.count : Int.random(in: 0..<bytes.count, using: &chance)
      var reader = RecordReader(bytes, 0..<end, strings: [])
      do {
        _ = try WalkRecord(reading: &reader)
      } catch {
        #expect((error as? FieldError)?.code == .damaged, "seed \(seed): \(error)")
      }
    }
  }
}
