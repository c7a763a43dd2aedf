import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// The whole zoo against a model that is as simple as can be, with everybody who watches it.
@Suite("A zoo over time", .heavy, .timeLimit(.minutes(60)))
struct ZooModelTests {
  private struct Seen: Equatable {
    var name: String
    var photo: Int
  }

  /// What should be there.
  private struct Model {
    var seen: [Int: Seen] = [:]
    var next = 0
    var animals: [String] = []
    var areas: [String] = []
    var lastRefresh: Date?
    /// The photos whose files were damaged, and those of them that somebody has found out.
    var damaged: Set<Int> = []
    var found: Set<Int> = []

    var lines: [String] {
      seen.keys.sorted(by: >).map { number in
        let seen = seen[number]
        let problem = seen.map { found.contains($0.photo) } == true ? " damaged" : ""
        return "\(number) \(seen?.name ?? "")\(problem)"
      } + animals.enumerated().map { "\(next + $0) \($1)" }
    }
  }

  /// Somebody who watches the list.
  private final class Watcher: Sendable {
    let last = Lock<[String]>([])
    let task: Task<Void, any Error>

    init(_ zoo: Zoo) {
      task = Task { [last] in
        for try await listing in zoo.listingUpdates() { last.withLock { $0 = listing.told } }
      }
    }
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let source = ScriptedZoo(Samples.animals("大貓熊"), areas: [ZooArea(name: "鳥園區")])

  init() throws { folder = try TemporaryFolder() }

  private func open(_ seed: UInt64) -> Zoo {
    let chance = Lock(SeededGenerator(seed: seed))
    return Zoo(
      sources: source.sources, storage: .directory(folder.url), clock: clock, policy: .always,
      snapshotGuard: SnapshotGuard(maximumRemovedFraction: 1),
      random: { chance.withLock { $0.next() } })
  }

  @Test(
    "a zoo contains what was delivered, added, edited, and removed, and notifies observers",
    arguments: Sample.of([1, 2, 3] as [UInt64], 1))
  func life(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    var zoo = open(seed)
    var watchers = [Watcher(zoo)]
    var model = Model()
    for step in 0..<Sample.rounds(400, 400, inDebug: 130) {
      let place: Comment = "seed \(seed), step \(step)"
      let name = "名\(Int.random(in: 0..<40, using: &chance))"
      let photo = Int.random(in: 0..<12, using: &chance)
      let some = model.seen.keys.sorted().randomElement(using: &chance)
      switch Int.random(in: 0..<20, using: &chance) {
      case 0..<5:
        let isCancelled = Int.random(in: 0..<3, using: &chance) == 0
        let task = Task { [zoo] in try await zoo.addSighting(name: name, photo: Photos.jpeg(photo))
        }
        if isCancelled { task.cancel() }
        do {
          #expect(try await task.value.number == model.next, place)
          model.seen[model.next] = Seen(name: name, photo: photo)
          model.next += 1
        } catch is CancellationError where isCancelled {}
        // The file may have been put before the task was cancelled.
        if try await isWhole(photo) { model.damaged.remove(photo) }
        model.found.formIntersection(model.damaged)
      case 5..<8:
        guard let some, let id = try await id(some, zoo) else { continue }
        let isPhoto = Bool.random(using: &chance)
        try await zoo.editSighting(
          id, name: isPhoto ? nil : name, photo: isPhoto ? Photos.jpeg(photo) : nil)
        if isPhoto {
          model.seen[some]?.photo = photo
          model.damaged.remove(photo)
          model.found.remove(photo)
        } else {
          model.seen[some]?.name = name
        }
      case 8..<10:
        guard let some, let id = try await id(some, zoo) else { continue }
        try await zoo.removeSighting(id)
        model.seen[some] = nil
      case 10..<14:
        try await refresh(zoo, &model, &chance, place)
      case 14:
        guard Bool.random(using: &chance) else { continue }
        try await zoo.eraseZooData()
        model.animals = []
        model.areas = []
        model.lastRefresh = nil
      case 15:
        guard Int.random(in: 0..<4, using: &chance) == 0 else { continue }
        try await zoo.eraseSightings()
        model.seen = [:]
      case 16:
        guard let some, let photo = model.seen[some]?.photo else { continue }
        var bytes = Photos.jpeg(photo)
        bytes[bytes.count - 1] ^= 0xFF
        try bytes.write(to: file(photo))
        model.damaged.insert(photo)
      case 17:
        watchers.append(Watcher(zoo))
        if watchers.count > 3 {
          let watcher = watchers.removeFirst()
          watcher.task.cancel()
          try await watcher.task.value
        }
      case 18:
        try await zoo.close()
        for watcher in watchers { try await watcher.task.value }
        zoo = open(seed &* 1_000 &+ UInt64(step))
        watchers = [Watcher(zoo)]
        model.found = []
      default:
        clock.advance(by: .seconds(Int.random(in: 1...200_000, using: &chance)))
      }
      if let some, let seen = model.seen[some] {
        try await look(at: some, seen, zoo, &model, place)
      }
      let listing = try await zoo.listing()
      #expect(listing.told == model.lines, place)
      #expect(listing.nextNumber == model.next, place)
      #expect(listing.lastRefresh == model.lastRefresh, place)
      #expect(try await zoo.areas().map(\.name) == model.areas, place)
      for watcher in watchers {
        try await eventually { watcher.last.withLock { $0 } == listing.told }
      }
    }
    try await zoo.close()
    for watcher in watchers { try await watcher.task.value }
  }

  /// Looks at the photo of a sighting, which is right or told to be damaged.
  private func look(
    at number: Int, _ seen: Seen, _ zoo: Zoo, _ model: inout Model, _ place: Comment
  ) async throws {
    let entry = try #require(try await zoo.listing().first { $0.sequence == number }, place)
    do {
      #expect(try await zoo.image(for: entry).data == Photos.jpeg(seen.photo), place)
      #expect(!model.damaged.contains(seen.photo), place)
    } catch let error as FieldError {
      #expect(error.code == .sightingDamaged, place)
      #expect(model.damaged.contains(seen.photo), place)
      model.found.insert(seen.photo)
    }
  }

  private func refresh(
    _ zoo: Zoo, _ model: inout Model, _ chance: inout SeededGenerator, _ place: Comment
  ) async throws {
    let all = (0..<12).map { "動物\($0)" }
    let names = Array(all.shuffled(using: &chance).prefix(.random(in: 1...12, using: &chance)))
    let areas = Array(all.shuffled(using: &chance).prefix(.random(in: 1...3, using: &chance)))
    let (isGiven, areAreasGiven) = (
      Int.random(in: 0..<4, using: &chance) > 0, Int.random(in: 0..<4, using: &chance) > 0
    )
    if isGiven {
      source.give(Batch<ZooRecord>(animals: Samples.animals(names)))
    } else {
      source.fail(.animals)
    }
    if areAreasGiven {
      source.give(Batch<ZooRecord>(areas: areas.map { ZooArea(name: $0) }))
    } else {
      source.fail(.areas)
    }
    do {
      let report = try await zoo.refresh(.now)
      #expect(isGiven, place)
      #expect(report.notices.isEmpty == areAreasGiven, place)
    } catch let error as FieldError {
      #expect(!isGiven, place)
      #expect(error.code == .offline, place)
    }
    if isGiven {
      model.animals = names
      model.lastRefresh = clock.now
    }
    if areAreasGiven { model.areas = areas }
  }

  private func id(_ number: Int, _ zoo: Zoo) async throws -> Sighting.ID? {
    try await zoo.sightings().first { $0.number == number }?.id
  }

  private func file(_ photo: Int) -> URL {
    folder.url.appending(path: "sightings.blobs")
      .appending(path: BlobID(of: [UInt8](Photos.jpeg(photo))).hexadecimal)
  }

  private func isWhole(_ photo: Int) async throws -> Bool {
    FileManager.default.contents(atPath: file(photo).path) == Photos.jpeg(photo)
  }
}

extension ZooListing {
  /// The numbers and names, and the problems that are told.
  fileprivate var told: [String] {
    map { "\($0.sequence) \($0.name)\($0.problem == nil ? "" : " damaged")" }
  }
}
