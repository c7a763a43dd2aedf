import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// A directory of sightings in memory, whose name no other test uses.
private struct SightingFiles {
  let folder = URL(filePath: "/\(UUID().uuidString)")
  var fileSystem = MemoryFileSystem()

  var store: String { folder.path + "/sightings.store" }

  func zoo(_ seed: Int = 1) -> Zoo {
    Zoo.unshared(in: folder, seed: seed, fileSystem: fileSystem, clock: ImmediateClock())
  }

  /// The photos that are on the device, by their numbers.
  func photos(_ numbers: some Sequence<Int>) -> Set<Int> {
    Set(numbers.filter { fileSystem[path(of: $0)] != nil })
  }

  func path(of photo: Int) -> String {
    "\(folder.path)/sightings.blobs/\(BlobID(of: [UInt8](Photos.jpeg(photo))))"
  }

  /// How many photos there are, whoever refers to them.
  var photoCount: Int {
    fileSystem.paths.filter {
      $0.hasPrefix("\(folder.path)/sightings.blobs/")
        && BlobID(hexadecimal: String($0.split(separator: "/").last ?? "")) != nil
    }.count
  }

  /// The files beside the store that hold what was cut off.
  var setAside: [String] { fileSystem.paths.filter { $0.hasPrefix(store + ".damaged-") } }

  /// The same files after the process has died.
  func restarted() -> SightingFiles {
    var next = self
    next.fileSystem = fileSystem.afterCrash(seed: nil)
    return next
  }

  /// Adds sightings and returns the content of the store after each.
  func fill(_ count: Int) async throws -> [[UInt8]] {
    let zoo = zoo()
    var history: [[UInt8]] = []
    for number in 0..<count {
      try await zoo.addSighting(name: "\(number)", photo: Photos.jpeg(number))
      history.append(try #require(fileSystem[store]))
    }
    try await zoo.close()
    return history
  }

  /// Opens the zoo again and again and changes it each time; returns the photos that were let go.
  ///
  /// A store that refuses to open is left as it is.
  func use() async throws -> Set<Int> {
    var released: Set<Int> = []
    for round in 0..<3 {
      let zoo = zoo(round + 2)
      do {
        try await zoo.open()
        if round == 0, let newest = try await zoo.sightings().first, let number = Int(newest.name) {
          try await zoo.removeSighting(newest.id)
          released.insert(number)
        }
        let added = try await zoo.addSighting(
          name: "\(100 + round)", photo: Photos.jpeg(100 + round))
        try await zoo.editSighting(added.id, photo: Photos.jpeg(200 + round))
        try await zoo.close()
      } catch let error as FieldError where [.damaged, .newerFormat].contains(error.code) {}
    }
    return released
  }
}

@Suite("Photos of sightings whose records are damaged", .timeLimit(.minutes(60)))
struct SightingDamageTests {
  @Test(
    "photos of sightings stay, whatever happened to the records",
    arguments: Sample.of([1, 2] as [UInt64], inDebug: 1))
  func anyDamage(seed: UInt64) async throws {
    let files = SightingFiles()
    let history = try await files.fill(5)
    var (photoCount, lost, cases) = (0, 0, [String]())
    let all = FileDamage.cases(of: history, every: 11, seed: seed)
    for damage in Sample.of(all, inDebug: 40) {
      let next = files.restarted()
      next.fileSystem[next.store] = damage.bytes
      let released = try await next.use()
      let expected = Set(0..<5).subtracting(released)
      let missing = expected.subtracting(next.photos(expected))
      photoCount += expected.count
      lost += missing.count
      if !missing.isEmpty { cases.append("\(damage): \(missing.sorted())") }
    }
    #expect(photoCount > (Sample.isOptimized ? 500 : 100))
    #expect(lost == 0, "\(lost) of \(photoCount): \(cases.count) cases, \(cases.prefix(5))")
  }

  @Test("photos of sightings stay until the removal of their sightings is durable")
  func removalIsUndone() async throws {
    var last = 0
    for call in Sample.steps(from: 1, apart: 1, inDebug: 2) {
      last = call
      let files = SightingFiles()
      let zoo = files.zoo()
      let sighting = try await zoo.addSighting(name: "0", photo: Photos.jpeg(0))
      let calls = files.fileSystem.callCount
      files.fileSystem.fail(at: calls + call, .crash)
      _ = try? await zoo.removeSighting(sighting.id)
      if files.fileSystem.callCount < calls + call { break }
      let next = files.restarted()
      try await next.zoo(2).open()
      for seed in 1...8 as ClosedRange<UInt64> {
        var powerless = next
        powerless.fileSystem = next.fileSystem.afterCrash(seed: seed)
        let problems = try await powerless.zoo(3).listing().problems
        #expect(problems.isEmpty, "call \(call), seed \(seed)")
      }
    }
    #expect(last > 10)
  }

  @Test("photos of sightings stay if all files of the record store are missing")
  func storeIsGone() async throws {
    let files = SightingFiles()
    _ = try await files.fill(5)
    for path in files.fileSystem.paths where path.hasPrefix(files.store) {
      files.fileSystem[path] = nil
    }
    #expect(try await files.use().isEmpty)
    #expect(files.photos(0..<5).count == 5)
  }

  @Test("photos of removed sightings stay while records are set aside, and are deleted with those")
  func setAside() async throws {
    let files = SightingFiles()
    var bytes = try #require(try await files.fill(5).last)
    bytes[bytes.count - 1] ^= 1
    files.fileSystem[files.store] = bytes
    let first = files.zoo()
    #expect(try await first.open().setAside.count == 1)
    let kept = try await first.sightings()
    #expect(kept.map(\.number) == [3, 2, 1, 0])
    // The lost sighting may have had the same photo.
    try await first.removeSighting(kept[0].id)
    try await first.editSighting(kept[1].id, photo: Photos.jpeg(9))
    #expect(files.photos(0..<10) == [0, 1, 2, 3, 4, 9])
    try await first.close()
    let again = files.zoo()
    #expect(try await again.open().setAside.count == 1)
    #expect(files.photos(0..<10) == [0, 1, 2, 3, 4, 9])
    try await again.close()
    for path in files.setAside { files.fileSystem[path] = nil }
    let healthy = files.zoo()
    try await healthy.open()
    // Photo 4 is that of the lost sighting.
    #expect(files.photos(0..<10) == [0, 1, 4, 9])
    try await healthy.close()
  }

  @Test("photos of sightings stay if another process sets records aside while the zoo is open")
  func setAsideByAnother() async throws {
    let files = SightingFiles()
    var bytes = try #require(try await files.fill(5).last)
    let zoo = files.zoo()
    try await zoo.open()
    bytes[bytes.count - 1] ^= 1
    files.fileSystem[files.store] = bytes
    let other = files.zoo(2)
    try await other.open()
    #expect(try await zoo.sightings().count == 4)
    try await zoo.removeSighting(#require(try await zoo.sightings().last).id)
    #expect(files.photos(0..<5).count == 5)
    try await zoo.close()
    try await other.close()
  }

  @Test(
    "photos of sightings are deleted with all erased sightings, as are parts that were set aside")
  func erased() async throws {
    let files = SightingFiles()
    let history = try await files.fill(5)
    for bytes in [history[4].dropLast() + [0], history[2], []] as [[UInt8]?] + [nil] {
      let next = files.restarted()
      next.fileSystem[next.store] = bytes
      let zoo = next.zoo()
      try await zoo.open()
      #expect(next.photoCount == 5)
      try await zoo.eraseSightings()
      #expect(next.photoCount == 0)
      #expect(next.setAside.isEmpty)
      let added = try await zoo.addSighting(name: "new", photo: Photos.jpeg(7))
      #expect(next.photoCount == 1)
      try await zoo.removeSighting(added.id)
      #expect(next.photoCount == 0)
      try await zoo.close()
    }
  }

  @Test("photos of a removed or changed sighting are deleted, even if the process dies at any call")
  func removalIsCutOff() async throws {
    let files = SightingFiles()
    _ = try await files.fill(3)
    for isEdit in [false, true] {
      var last = 0
      for call in Sample.steps(from: 1, apart: 1, inDebug: 2) {
        last = call
        let next = files.restarted()
        let zoo = next.zoo(5)
        try await zoo.open()
        let oldest = try #require(try await zoo.sightings().last)
        let calls = next.fileSystem.callCount
        next.fileSystem.fail(at: calls + call, .crash)
        do {
          if isEdit {
            try await zoo.editSighting(oldest.id, photo: Photos.jpeg(7))
          } else {
            try await zoo.removeSighting(oldest.id)
          }
        } catch {}
        let after = next.restarted()
        // A commit that was cut in the middle was set aside.
        for _ in 0..<2 {
          let reader = after.zoo(6)
          try await reader.open()
          try await reader.close()
          for path in after.setAside { after.fileSystem[path] = nil }
        }
        let reader = after.zoo(7)
        let photos = Set(try await reader.sightings().compactMap { $0.photo?.blob })
        #expect(after.photoCount == photos.count, "call \(call)")
        for entry in try await reader.listing() { _ = try await reader.image(for: entry) }
        try await reader.close()
        if next.fileSystem.callCount < calls + call { break }
      }
      #expect(last > 10)
    }
  }

  @Test(
    "photos of sightings stay if the power failed before the records were lost", arguments: 0..<3)
  func powerFailsBeforeDamage(kind: Int) async throws {
    let files = SightingFiles()
    let bytes = try #require(try await files.fill(5).last)
    var (count, lost) = (0, 0)
    let seeds = Sample.of(1...40 as ClosedRange<UInt64>, inDebug: 15)
    for seed in seeds {
      var next = files
      next.fileSystem = files.fileSystem.afterCrash(seed: seed)
      let photos = next.photos(0..<5)
      next.fileSystem[next.store] = [Array(bytes.prefix(bytes.count / 3)), [], nil][kind]
      for _ in 0..<3 {
        let zoo = next.zoo(Int(seed))
        try await zoo.open()
        _ = try await zoo.addSighting(name: "new", photo: Photos.jpeg(9))
        try await zoo.close()
        // The user doesn't need the damaged part.
        for path in next.setAside { next.fileSystem[path] = nil }
      }
      count += photos.count
      lost += photos.subtracting(next.photos(0..<5)).count
    }
    #expect(count == 5 * seeds.count)
    #expect(lost == 0, "\(lost) of \(count)")
  }

  @Test("photos of sightings stay if their commit failed and reappears when the store is reopened")
  func commitComesBack() async throws {
    let files = SightingFiles()
    _ = try await files.fill(1)
    let zoo = files.zoo(2)
    try await zoo.open()
    // The photo and its directory are already synced. The commit's sync and those after it fail.
    files.fileSystem.failCalls("sync", after: 1)
    files.fileSystem.failNext("truncate")
    await #expect(throws: FieldError.self) {
      try await zoo.addSighting(name: "1", photo: Photos.jpeg(1))
    }
    files.fileSystem.failAlways(nil)
    _ = try? await zoo.addSighting(name: "2", photo: Photos.jpeg(2))
    _ = try? await zoo.addSighting(name: "3", photo: Photos.jpeg(3))
    let names = try await zoo.sightings().map(\.name)
    #expect(names.contains("1"))
    for sighting in try await zoo.sightings() {
      let photo = try #require(Int(sighting.name))
      #expect(files.photos([photo]) == [photo], "sighting \(sighting.name)")
    }
    try await zoo.close()
  }

  @Test("photos stay if a call fails during their release, and the records are lost afterward")
  func failureBeforeDamage() async throws {
    let files = SightingFiles()
    _ = try await files.fill(3)
    var call = 0
    while true {
      call += 1
      let next = files.restarted()
      let zoo = next.zoo(5)
      try await zoo.open()
      let oldest = try #require(try await zoo.sightings().last)
      let calls = next.fileSystem.callCount
      next.fileSystem.fail(at: calls + call, .failure(EIO))
      var isRemoved = false
      do {
        try await zoo.removeSighting(oldest.id)
        isRemoved = true
      } catch {}
      try? await zoo.close()
      let isOver = next.fileSystem.callCount < calls + call
      let after = next.restarted()
      after.fileSystem[after.store] = nil
      let reader = after.zoo(6)
      try await reader.open()
      #expect(after.photos(0..<3).isSuperset(of: isRemoved ? [1, 2] : [0, 1, 2]), "call \(call)")
      try await reader.close()
      if isOver { break }
    }
    #expect(call > 10)
  }
}
