import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// A diary in memory, whose file names no other test uses.
private struct DiaryFiles {
  let name = "/\(UUID().uuidString)/walks"
  var fileSystem = MemoryFileSystem()

  var store: String { name + ".store" }

  func bench(_ seed: UInt64 = 1) -> DiaryBench {
    let blobs = FileBlobStore(
      path: name + ".blobs", grace: .zero, clock: ManualClock(now: DiaryBench.noon),
      fileSystem: fileSystem)
    let records = FileStore<WalkRecord>(unsharedPath: store, fileSystem: fileSystem)
    return DiaryBench(records: records, blobs: blobs, seed: seed)
  }

  /// The blobs that are on the device.
  var blobs: Set<BlobID> {
    Set(
      fileSystem.paths.compactMap { path in
        guard path.hasPrefix(name + ".blobs/") else { return nil }
        return BlobID(hexadecimal: String(path.split(separator: "/").last ?? ""))
      })
  }

  var setAside: [String] { fileSystem.paths.filter { $0.hasPrefix(store + ".damaged-") } }

  func restarted() -> DiaryFiles {
    var next = self
    next.fileSystem = fileSystem.afterCrash(seed: nil)
    return next
  }

  /// Adds two pets and three walks; returns the content of the store after each, and all blobs.
  func fill() async throws -> (history: [[UInt8]], blobs: Set<BlobID>) {
    let bench = bench()
    var (history, blobs) = ([[UInt8]](), Set<BlobID>())
    func note(_ new: [BlobID]) throws {
      history.append(try #require(fileSystem[store]))
      blobs.formUnion(new)
    }
    var pets: [Pet] = []
    for number in 0..<2 as Range<UInt8> {
      pets.append(
        try await bench.diary.register(DiaryBench.form("pet \(number)", photo: Data([number]))))
      try note(pets.flatMap(\.blobs))
    }
    for number in 0..<3 {
      let walk = try await bench.save(
        "walk \(number)", of: pets, hour: Double(number), photos: [[10, UInt8(number)]],
        points: 3 + number)
      try note(walk.blobs)
    }
    try await bench.diary.close()
    return (history, blobs)
  }

  /// Opens the diary again and again and changes it each time; returns the blobs that were let go.
  func use() async throws -> Set<BlobID> {
    var released: Set<BlobID> = []
    for round in 0..<3 {
      let bench = bench(UInt64(round) + 2)
      do {
        try await bench.diary.open()
        if round == 0, let newest = try await bench.diary.walks().first {
          try await bench.diary.delete(newest.id)
          released.formUnion(newest.blobs)
        }
        let pet = try await bench.diary.register(
          DiaryBench.form("new \(round)", photo: Data([100, UInt8(round)])))
        try await bench.diary.update(pet.id, PetChanges(photo: Data([101, UInt8(round)])))
        try await bench.save(
          "new \(round)", of: [pet], hour: 9, photos: [[102, UInt8(round)]], points: 20 + round)
        if round == 1 { try await bench.diary.delete(pet.id) }
        try await bench.diary.close()
      } catch let error as FieldError where [.damaged, .newerFormat].contains(error.code) {}
    }
    return released
  }
}

@Suite("Photos and routes of walks whose records are damaged", .timeLimit(.minutes(60)))
struct DiaryDamageTests {
  @Test(
    "photos and routes of damaged walks stay, whatever happened to the records",
    arguments: Sample.of([1, 2] as [UInt64], 1))
  func anyDamage(seed: UInt64) async throws {
    let files = DiaryFiles()
    let (history, blobs) = try await files.fill()
    #expect(blobs.count == 8)
    var (blobCount, lost, cases) = (0, 0, [String]())
    for damage in Sample.of(FileDamage.cases(of: history, every: 11, seed: seed), 15) {
      let next = files.restarted()
      next.fileSystem[next.store] = damage.bytes
      let expected = blobs.subtracting(try await next.use())
      let missing = expected.subtracting(next.blobs)
      blobCount += expected.count
      lost += missing.count
      if !missing.isEmpty { cases.append("\(damage): \(missing.count)") }
    }
    #expect(blobCount > Sample.rounds(500, 20))
    #expect(lost == 0, "\(lost) of \(blobCount): \(cases.count) cases, \(cases.prefix(5))")
  }

  @Test("photos and routes stay while damaged records are set aside, and are deleted with those")
  func setAside() async throws {
    let files = DiaryFiles()
    var (history, blobs) = try await files.fill()
    history[4][history[4].count - 1] ^= 1
    files.fileSystem[files.store] = history[4]
    let bench = files.bench()
    #expect(try await bench.diary.open().setAside.count == 1)
    let walks = try await bench.diary.walks().walks
    #expect(walks.map(\.id.rawValue) == ["walk 1", "walk 0"])
    let pet = try #require(try await bench.diary.pets().first)
    try await bench.diary.delete(walks[0].id)
    try await bench.diary.update(pet.id, PetChanges(photo: Data([9])))
    #expect(files.blobs.isSuperset(of: blobs))
    try await bench.diary.close()
    for path in files.setAside { files.fileSystem[path] = nil }
    let again = files.bench()
    try await again.diary.open()
    blobs.subtract(walks[0].blobs + pet.blobs)
    #expect(files.blobs == blobs.union([BlobID(of: [9])]))
  }

  @Test("photos, routes, and parts that were set aside are deleted when the diary is erased")
  func erased() async throws {
    let files = DiaryFiles()
    let history = try await files.fill().history
    for bytes in [history[4].dropLast() + [0], history[2], []] as [[UInt8]?] + [nil] {
      let next = files.restarted()
      next.fileSystem[next.store] = bytes
      let bench = next.bench()
      try await bench.diary.open()
      #expect(next.blobs.count == 8)
      try await bench.diary.eraseAll()
      #expect(next.blobs.isEmpty)
      #expect(next.setAside.isEmpty)
      try await bench.diary.register(DiaryBench.form("new"))
      #expect(next.blobs.count == 1)
    }
  }

  @Test("photos and routes stay until the deletion of their records is durable")
  func deletionIsUndone() async throws {
    let files = DiaryFiles()
    _ = try await files.fill()
    var last = 0
    for call in 1... {
      last = call
      let next = files.restarted()
      let bench = next.bench(5)
      let walk = try #require(try await bench.diary.walks().first)
      let calls = next.fileSystem.callCount
      next.fileSystem.fail(at: calls + call, .crash)
      _ = try? await bench.diary.delete(walk.id)
      if next.fileSystem.callCount < calls + call { break }
      let after = next.restarted()
      try await after.bench(6).diary.open()
      for seed in 1...8 as ClosedRange<UInt64> {
        var powerless = after
        powerless.fileSystem = after.fileSystem.afterCrash(seed: seed)
        let used = try await powerless.bench(7).diary.core.stored.blobsInUse()
        #expect(used.isSubset(of: powerless.blobs), "call \(call), seed \(seed)")
      }
    }
    #expect(last > 10)
  }

  @Test("photos and routes of deleted records are deleted, even if the process dies at any call")
  func deletionIsCutOff() async throws {
    let files = DiaryFiles()
    _ = try await files.fill()
    for isPet in [false, true] {
      var last = 0
      for call in Sample.steps(from: 1, apart: 4) {
        last = call
        let next = files.restarted()
        let bench = next.bench(5)
        let walk = try #require(try await bench.diary.walks().first)
        let pet = try #require(try await bench.diary.pets().first)
        let calls = next.fileSystem.callCount
        next.fileSystem.fail(at: calls + call, .crash)
        do {
          if isPet {
            try await bench.diary.delete(pet.id)
          } else {
            try await bench.diary.delete(walk.id)
          }
        } catch {}
        let after = next.restarted()
        // A commit that was cut in the middle was set aside.
        for seed in [6, 7] as [UInt64] {
          try await after.bench(seed).diary.open()
          for path in after.setAside { after.fileSystem[path] = nil }
        }
        let reader = after.bench(8)
        let used = try await reader.diary.core.stored.blobsInUse()
        #expect(after.blobs == used, "call \(call)")
        if next.fileSystem.callCount < calls + call { break }
      }
      #expect(last > 10)
    }
  }
}
