import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("Calls of a zoo that overlap", .timeLimit(.minutes(60)))
struct OverlapTests {
  private let clock = ManualClock(now: Samples.noon)

  @Test("overlapping calls store nothing in a refresh that began before everything was erased")
  func erasedMeanwhile() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"), areas: [ZooArea(name: "鳥園區")])
    let zoo = Zoo(sources: source.sources, storage: .inMemory, clock: clock)
    try await zoo.refresh()
    source.give(Batch<ZooRecord>(animals: Samples.animals("大貓熊", "無尾熊")))
    source.hold()
    let task = Task { try await zoo.refresh(.now) }
    try await eventually { source.calls.count >= 3 }
    try await zoo.eraseAll()
    source.release()
    let error = await #expect(throws: FieldError.self) { try await task.value }
    #expect(error?.code == .conflict)
    #expect(source.calls == [.animals, .areas, .animals], "the run ends with what it had in hand")
    #expect(try await zoo.listing().isEmpty)
    #expect(try await zoo.areas().isEmpty)
    #expect(try await zoo.lastRefresh == nil)
    // What was erased is no failure of the source, so nothing is put off.
    #expect(try await zoo.nextRefreshDate == clock.now)
    #expect(try await zoo.refresh().added == 3)
  }

  @Test("overlapping calls store no table requested after an erasure, and report a cancellation")
  func erasedAndCancelled() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"))
    let zoo = Zoo(sources: source.sources, storage: .inMemory, clock: clock)
    source.hold()
    let task = Task { try await zoo.refresh() }
    try await eventually { !source.calls.isEmpty }
    try await zoo.eraseAll()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    source.release()
    #expect(try await zoo.listing().isEmpty)
  }

  @Test(
    "overlapping calls show sightings added during a refresh immediately, and lose none of them")
  func sightingsMeanwhile() async throws {
    let folder = try TemporaryFolder()
    let source = ScriptedZoo(Samples.animals("大貓熊"))
    let zoo = Zoo(sources: source.sources, storage: .directory(folder.url), clock: clock)
    source.hold()
    let refresh = Task { try await zoo.refresh() }
    try await eventually { !source.calls.isEmpty }
    let first = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(0))
    #expect(try await zoo.listing().lines == ["0 石虎"], "the network has not answered yet")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1..<20 {
        group.addTask { try await zoo.addSighting(name: "\(number)", photo: Photos.jpeg(number)) }
      }
      group.addTask { try await zoo.removeSighting(first.id) }
      source.release()
      try await group.waitForAll()
    }
    #expect(try await refresh.value.added == 1)
    let listing = try await zoo.listing()
    #expect(listing.map(\.sequence) == Array((1..<20).reversed()) + [20])
    #expect(listing.problems.isEmpty)
    #expect(listing.last?.name == "大貓熊")
    try await zoo.close()
  }

  @Test(
    "overlapping calls of many kinds in any order leave the list in order",
    arguments: [1, 2, 3] as [UInt64])
  func anyOrder(seed: UInt64) async throws {
    let source = ScriptedZoo(Samples.animals(count: 30), areas: [ZooArea(name: "鳥園區")])
    let zoo = Zoo(sources: source.sources, storage: .inMemory, clock: clock)
    var generator = SeededGenerator(seed: seed)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        let call = Int.random(in: 0..<5, using: &generator)
        group.addTask {
          do {
            switch call {
            case 0: try await zoo.refresh(.now)
            case 1: try await zoo.addSighting(name: "\(number)", photo: Photos.jpeg(number))
            case 2: try await zoo.eraseAll()
            case 3:
              let listing = try await zoo.listing()
              #expect([0, 30].contains(listing.animals.count), "half a table, seed \(seed)")
              #expect(Set(listing.map(\.sequence)).count == listing.count, "seed \(seed)")
            default:
              let sightings = try await zoo.sightings()
              if let last = sightings.last { try await zoo.removeSighting(last.id) }
            }
          } catch let error as FieldError
            where error.code == .conflict || error.code == .sightingNotFound
          {
            // A refresh during which all was erased, and a sighting that another call has removed.
          }
        }
      }
      try await group.waitForAll()
    }
    try await zoo.refresh(.now)
    let listing = try await zoo.listing()
    #expect(listing.animals.count == 30)
    #expect(listing.problems.isEmpty, "seed \(seed)")
  }
}
