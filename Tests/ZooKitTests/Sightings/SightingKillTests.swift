import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// What an app does with its sightings, and what it was told.
private final class Workload {
  /// What every call that returned has left, by number.
  var acknowledged: [Int: Data] = [:]
  /// What the call under way would leave: the number and the photo, or nil for a removal.
  var inFlight: (number: Int, photo: Data?)?
  var failures: [any Error] = []
  var everGiven: Set<Int> = []

  func run(_ zoo: Zoo) async {
    for step in 0..<4 {
      await attempt(step, Photos.jpeg(step)) {
        let sighting = try await zoo.addSighting(name: "\(step)", photo: Photos.jpeg(step))
        #expect(self.everGiven.insert(sighting.number).inserted, "a number was given twice")
        self.acknowledged[sighting.number] = Photos.jpeg(step)
      }
    }
    guard failures.isEmpty, let first = try? await zoo.sightings().last else { return }
    await attempt(first.number, Photos.jpeg(50)) {
      try await zoo.editSighting(first.id, photo: Photos.jpeg(50))
      self.acknowledged[first.number] = Photos.jpeg(50)
    }
    await attempt(first.number, nil) {
      try await zoo.removeSighting(first.id)
      self.acknowledged[first.number] = nil
    }
  }

  private func attempt(_ number: Int, _ photo: Data?, _ body: () async throws -> Void) async {
    // Nothing happens after a crash, so what failed first is what may be there.
    guard failures.isEmpty else { return }
    inFlight = (number, photo)
    do {
      try await body()
      inFlight = nil
    } catch {
      failures.append(error)
    }
  }
}

@Suite("A sighting at every moment of being written", .heavy, .timeLimit(.minutes(60)))
struct SightingKillTests {
  private static let folder = URL(filePath: "/data")

  private static func zoo(_ fileSystem: MemoryFileSystem) -> Zoo {
    Zoo.unshared(in: folder, seed: 7, fileSystem: fileSystem, clock: ImmediateClock())
  }

  private static func callCount() async throws -> Int {
    let fileSystem = MemoryFileSystem()
    let workload = Workload()
    await workload.run(zoo(fileSystem))
    try #require(workload.failures.isEmpty)
    try #require(workload.acknowledged.count == 3)
    return fileSystem.callCount
  }

  /// Whether every sighting is there with its photo, and all that was acknowledged is there.
  private static func check(
    _ zoo: Zoo, after workload: Workload, mayDiffer: Bool, _ what: Comment
  ) async throws {
    let listing = try await zoo.listing()
    #expect(listing.problems.isEmpty, what)
    var found: [Int: Data] = [:]
    for entry in listing {
      found[entry.sequence] = try await zoo.image(for: entry).data
      #expect(Int(entry.name) == entry.sequence, what)
    }
    var differing = Set(workload.acknowledged.keys).union(found.keys).filter {
      workload.acknowledged[$0] != found[$0]
    }
    if mayDiffer, let inFlight = workload.inFlight, found[inFlight.number] == inFlight.photo {
      differing.remove(inFlight.number)
    }
    #expect(differing.isEmpty, what)
    let next = try await zoo.addSighting(name: "next", photo: Photos.jpeg(99))
    #expect(!workload.everGiven.contains(next.number), what)
    #expect(found[next.number] == nil, what)
  }

  @Test("a sighting exists with its photo or doesn't exist if the process dies at any call")
  func processDies() async throws {
    for call in Sample.of(1...(try await Self.callCount()), 12) {
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .crash)
      let workload = Workload()
      await workload.run(Self.zoo(fileSystem))
      try await Self.check(
        Self.zoo(fileSystem.afterCrash(seed: nil)), after: workload, mayDiffer: true,
        "call \(call)")
    }
  }

  @Test("a sighting exists with its photo or doesn't exist if the power fails at any call")
  func powerFails() async throws {
    for call in Sample.of(1...(try await Self.callCount()), 12) {
      for seed in 1...4 as ClosedRange<UInt64> {
        let fileSystem = MemoryFileSystem()
        fileSystem.fail(at: call, .crash)
        let workload = Workload()
        await workload.run(Self.zoo(fileSystem))
        try await Self.check(
          Self.zoo(fileSystem.afterCrash(seed: seed)), after: workload, mayDiffer: true,
          "call \(call), seed \(seed)")
      }
    }
  }

  @Test("a sighting exists or doesn't exist if any one call fails", arguments: [ENOSPC, EIO])
  func oneFailure(number: Int32) async throws {
    for call in Sample.of(1...(try await Self.callCount()), 12) {
      for fault in [MemoryFileSystem.Fault.failure(number), .partialFailure(number)] {
        let fileSystem = MemoryFileSystem()
        fileSystem.fail(at: call, fault)
        let zoo = Self.zoo(fileSystem)
        let adding = Lock<[Int: Data]>([:])
        var failures = 0
        for step in 0..<3 {
          do {
            let sighting = try await zoo.addSighting(name: "\(step)", photo: Photos.jpeg(step))
            adding.withLock { $0[sighting.number] = Photos.jpeg(step) }
          } catch let error as FieldError {
            failures += 1
            #expect([.io, .diskFull, .needsReopening].contains(error.code), "call \(call)")
          }
        }
        #expect(failures <= 1, "call \(call)")
        // The same zoo shows what it has said, and so does the next one.
        for reader in [zoo, Self.zoo(fileSystem)] {
          // The call that fails may be one of those that read; the next ones work.
          let found = try await Self.photos(of: reader, attempts: 2)
          #expect(found == adding.withLock { $0 }, "call \(call): \(fault)")
        }
      }
    }
  }

  private static func photos(of zoo: Zoo, attempts: Int) async throws -> [Int: Data] {
    do {
      let listing = try await zoo.listing()
      var found: [Int: Data] = [:]
      for entry in listing { found[entry.sequence] = try await zoo.image(for: entry).data }
      return found
    } catch  where attempts > 1 {
      return try await photos(of: zoo, attempts: attempts - 1)
    }
  }

  @Test("a sighting exists with its photo or doesn't exist if the record is truncated at any byte")
  func everyByteOfTheRecord() async throws {
    let fileSystem = MemoryFileSystem()
    let store = "/data/sightings.store"
    let zoo = Self.zoo(fileSystem)
    try await zoo.addSighting(name: "0", photo: Photos.jpeg(0))
    let before = try #require(fileSystem[store])
    try await zoo.addSighting(name: "1", photo: Photos.jpeg(1))
    let after = try #require(fileSystem[store])
    try #require(after.starts(with: before), "the commit is no longer one that is appended")
    for size in Sample.of(before.count..<after.count, 20) + [after.count] {
      let next = fileSystem.afterCrash(seed: nil)
      next[store] = Array(after.prefix(size))
      let reader = Self.zoo(next)
      let isThere = size == after.count
      #expect(
        try await Self.photos(of: reader, attempts: 1).count == (isThere ? 2 : 1), "\(size) bytes")
      let number = try await reader.addSighting(name: "2", photo: Photos.jpeg(2)).number
      #expect(number == (isThere ? 2 : 1), "\(size) bytes")
      #expect(try await Self.photos(of: Self.zoo(next), attempts: 1).count == number + 1)
    }
  }

  @Test("a sighting doesn't exist if the photo is truncated at any byte")
  func everyByteOfThePhoto() async throws {
    let fileSystem = MemoryFileSystem()
    let zoo = Self.zoo(fileSystem)
    try await zoo.addSighting(name: "0", photo: Photos.jpeg(0))
    let photo = [UInt8](Photos.jpeg(1))
    for size in Sample.of(0...photo.count, 20) {
      let next = fileSystem.afterCrash(seed: nil)
      // What is written first has no name yet; a device that gave it one too early is the worst case.
      next["/data/sightings.blobs/.new"] = Array(photo.prefix(size))
      next["/data/sightings.blobs/\(BlobID(of: photo))"] = Array(photo.prefix(size))
      let reader = Self.zoo(next)
      #expect(try await reader.listing().map(\.name) == ["0"])
      try await reader.addSighting(name: "1", photo: Photos.jpeg(1))
      let photos = try await Self.photos(of: Self.zoo(next), attempts: 1)
      #expect(photos == [0: Photos.jpeg(0), 1: Photos.jpeg(1)], "\(size) bytes")
    }
  }

  @Test("a sighting is rejected on a full disk as such, and stored when there is space")
  func diskFull() async throws {
    let fileSystem = MemoryFileSystem()
    let zoo = Self.zoo(fileSystem)
    try await zoo.addSighting(name: "0", photo: Photos.jpeg(0))
    fileSystem.failAlways("write", ENOSPC)
    let error = await #expect(throws: FieldError.self) {
      try await zoo.addSighting(name: "1", photo: Photos.jpeg(1))
    }
    #expect(error?.code == .diskFull)
    #expect(error?.operation == "zoo.addSighting")
    #expect(try await zoo.listing().map(\.name) == ["0"])
    fileSystem.failAlways(nil)
    #expect(try await zoo.addSighting(name: "1", photo: Photos.jpeg(1)).number == 1)
  }

  @Test("a sighting leaves no photo behind that an edit replaced, whichever call failed")
  func replacedPhotos() async throws {
    // A folder of its own, because other tests have leases of the same photos in the same files.
    let folder = URL(filePath: "/\(UUID().uuidString)")
    let later = ManualClock(now: Date(timeIntervalSinceNow: 2 * 86_400))
    for fault in [MemoryFileSystem.Fault.failure(EIO), .partialFailure(ENOSPC), .crash] {
      var last = 0
      for call in Sample.steps(from: 1, apart: 1, inDebug: 3) {
        last = call
        var fileSystem = MemoryFileSystem()
        func zoo(_ clock: any FieldClock) -> Zoo {
          Zoo.unshared(in: folder, seed: 7, fileSystem: fileSystem, clock: clock)
        }
        let id = try await zoo(ImmediateClock()).addSighting(name: "0", photo: Photos.jpeg(0)).id
        let limit = fileSystem.callCount + call
        fileSystem.fail(at: limit, fault)
        // Another process edits, and what it throws doesn't matter.
        _ = try? await zoo(ImmediateClock()).editSighting(id, photo: Photos.jpeg(1))
        if fileSystem.callCount < limit { break }
        if case .crash = fault { fileSystem = fileSystem.afterCrash(seed: nil) }
        for _ in 0..<2 {
          let zoo = zoo(later)
          try await zoo.open()
          try await zoo.close()
        }
        // A part that was set aside keeps the photos.
        if fileSystem.paths.contains(where: { $0.contains(".damaged") }) { continue }
        let names = fileSystem.paths.filter { $0.contains("/sightings.blobs/") }
        #expect(names.count { $0.contains("/.unclaimed/") } == 0, "call \(call): \(fault)")
        #expect(
          names.count { $0.split(separator: "/").last?.count == 64 } == 1, "call \(call): \(fault)")
      }
      #expect(last > 20, "\(fault)")
    }
  }

  @Test("a sighting leaves no photo behind if the process dies between photo and record")
  func orphans() async throws {
    let folder = try TemporaryFolder()
    let blobs = folder.url.appending(path: "sightings.blobs")
    let clock = ManualClock(now: Date(timeIntervalSinceNow: 7200))
    let orphan = FileBlobStore(blobs)
    try await orphan.put([UInt8](Photos.jpeg(1))).end()
    let zoo = Zoo.unshared(in: folder.url, seed: 1, clock: clock)
    let kept = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(2))
    try await zoo.open()
    let names = try FileManager.default.contentsOfDirectory(atPath: blobs.path)
    #expect(names.filter { $0.count == 64 } == [kept.photo?.blob.hexadecimal])
    try await zoo.close()
  }
}
