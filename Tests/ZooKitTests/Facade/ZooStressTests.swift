import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// Two zoos of one directory, of which many ask for everything at once, and leave when they like.
@Suite("Zoos under stress", .heavy, .timeLimit(.minutes(60)))
struct ZooStressTests {
  @Test(
    "zoos under stress never lose a photo or reuse a number, despite cancellations",
    arguments: Sample.of([1, 2] as [UInt64], 1))
  func hurry(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let source = ScriptedZoo(Samples.animals(count: 20), areas: [ZooArea(name: "鳥園區")])
    let zoos = (0..<2).map { index in
      let generator = Lock(SeededGenerator(seed: seed &* 10 &+ UInt64(index)))
      return Zoo(
        sources: source.sources, storage: .directory(folder.url), policy: .always,
        snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1),
        random: { generator.withLock { $0.next() } })
    }
    let last = Lock<[ZooListing?]>([nil, nil])
    let watchers = zoos.enumerated().map { index, zoo in
      Task {
        for try await listing in zoo.listingUpdates() { last.withLock { $0[index] = listing } }
      }
    }
    /// The numbers that were told to somebody.
    let told = Lock<[Int]>([])
    for _ in 0..<20 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          let zoo = zoos[Int.random(in: 0..<2, using: &chance)]
          let (what, photo) = (
            Int.random(in: 0..<12, using: &chance), Photos.jpeg(.random(in: 0..<4, using: &chance))
          )
          let choice = Int.random(in: 0..<1000, using: &chance)
          let turns = Int.random(in: 0..<60, using: &chance)
          source.give(Batch<ZooRecord>(animals: Samples.animals(count: 1 + choice % 30)))
          group.addTask {
            let task = Task {
              let some = try await zoo.sightings()
              let one = some.isEmpty ? nil : some[choice % some.count]
              switch what {
              case 0..<4:
                let number = try await zoo.addSighting(name: "名\(choice)", photo: photo).number
                told.withLock { $0.append(number) }
              case 4..<6: if let one { try await zoo.editSighting(one.id, photo: photo) }
              case 6..<8: if let one { try await zoo.removeSighting(one.id) }
              case 8: if choice % 8 == 0 { try await zoo.eraseSightings() }
              case 9: try await zoo.refresh(.now)
              case 10: if choice % 4 == 0 { try await zoo.eraseZooData() }
              default: if let one { _ = try await zoo.image(for: one) }
              }
              return try await zoo.listing()
            }
            if turns < 30 {
              for _ in 0..<turns { await Task.yield() }
              task.cancel()
            }
            do {
              let listing = try await task.value
              #expect(listing.problems.isEmpty, "seed \(seed)")
              #expect(Set(listing.map(\.sequence)).count == listing.count, "seed \(seed)")
            } catch is CancellationError {
            } catch let error as FieldError {
              // Somebody else has removed the sighting, or erased the zoo's data meanwhile.
              let known: Set<FieldError.Code> = [.sightingNotFound, .conflict]
              #expect(known.contains(error.code), "seed \(seed): \(error)")
            }
          }
        }
        try await group.waitForAll()
      }
      let listing = try await zoos[0].listing()
      #expect(try await zoos[1].listing().told == listing.told, "seed \(seed)")
      for entry in listing.sightings { _ = try await zoos[1].image(for: entry) }
      try await eventually {
        last.withLock { $0.map { $0?.told } } == [listing.told, listing.told]
      }
    }
    #expect(told.withLock { Set($0).count == $0.count }, "seed \(seed)")
    // Whatever was cancelled, the next sweep leaves no photo that nobody refers to. A photo may stay
    // until then if one zoo gave it up, which another was about to remove.
    let used = Set(try await zoos[0].sightings().compactMap { $0.photo?.blob.hexadecimal })
    let blobs = folder.url.appending(path: "sightings.blobs")
    func names(in folder: URL) throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).filter {
        $0.count == 64
      }
    }
    let unclaimed = try names(in: blobs.appending(path: ".unclaimed"))
    #expect(try names(in: blobs).subtracting(used).isSubset(of: unclaimed), "seed \(seed)")
    for zoo in zoos { try await zoo.close() }
    for watcher in watchers { try await watcher.value }
    let later = ManualClock(now: .now + 7200)
    let zoo = Zoo(sources: source.sources, storage: .directory(folder.url), clock: later)
    #expect(Set(try await zoo.sightings().compactMap { $0.photo?.blob.hexadecimal }) == used)
    try await zoo.close()
    #expect(try names(in: blobs) == used, "seed \(seed)")
  }
}

extension ZooListing {
  /// The numbers, names and photos.
  fileprivate var told: [String] {
    map { "\($0.sequence) \($0.name) \($0.sighting?.photo?.blob.hexadecimal ?? "")" }
  }
}
