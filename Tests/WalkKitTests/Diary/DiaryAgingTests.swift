import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A diary that is used for years", .timeLimit(.minutes(60)))
struct DiaryAgingTests {
  /// `FIELDKIT_AGING_WALKS=10000` is the long form.
  private static let walkCount =
    ProcessInfo.processInfo.environment["FIELDKIT_AGING_WALKS"].flatMap { Int($0) }
    ?? 200

  // Leases on blobs are known by their directory in the whole process.
  private let root = "/\(UUID().uuidString)"
  private let files = MemoryFileSystem()
  private let clock = ManualClock(now: DiaryBench.noon)

  private func diary() -> WalkDiary {
    WalkDiary(
      storage: Storage(FileSystemStorage(root, files, clock: clock, grace: .zero)),
      transport: StubTransport { _ in }, clock: clock, rules: PetRules(required: []))
  }

  private func names(in folder: String) throws -> [String] {
    try files.names(in: "\(root)/\(folder)").filter { $0 != ".lock" }
  }

  /// The size of the records in a new file.
  private func liveSize() async throws -> Int {
    let old = FileStore<WalkRecord>(unsharedPath: "\(root)/walks.store", fileSystem: files)
    let path = "\(root)/new/\(UUID().uuidString).store"
    let new = FileStore<WalkRecord>(unsharedPath: path, fileSystem: files)
    let snapshot = try await old.snapshot()
    try await new.commit(
      Changes(upserting: Array(snapshot)), checkpoint: snapshot.checkpoint, expecting: nil)
    try await old.close()
    try await new.close()
    return try #require(files[path]?.count)
  }

  /// Opens and closes the diary, and returns the calls and the bytes read.
  private func opening(walkCount: Int) async throws -> (calls: Int, bytes: Int) {
    let before = (files.callCount, files.readByteCount)
    let diary = diary()
    #expect(try await diary.open().isClean)
    #expect(try await diary.unfinished().isEmpty)
    try await diary.close()
    let cost = (files.callCount - before.0, files.readByteCount - before.1)
    #expect(try await self.diary().allWalks().count == walkCount)
    return cost
  }

  /// Records a walk, and saves it.
  private func record(_ number: Int, of pet: Pet, in diary: WalkDiary) async throws -> Walk {
    let recorder = try await diary.start(pets: [pet.id])
    for fix in 0..<4 {
      clock.advance(by: .seconds(1))
      let point = RecordingBench.point(Double(fix) * 1.5, Double(number % 1_000))
      _ = await recorder.record(
        LocationFix(coordinate: point, accuracy: .meters(5), time: clock.now))
    }
    if number.isMultiple(of: 10) { _ = try await recorder.addPhoto(Array("\(number)".utf8)) }
    return try await recorder.finish()
  }

  @Test(
    "a diary used for years stays within twice its content and keeps no journal or unused photo",
    .heavy)
  func walks() async throws {
    var kept: [Walk.ID: Walk] = [:]
    var first: (calls: Int, bytes: Int)?
    var number = 0
    while number < Self.walkCount {
      let diary = diary()
      let known = try await diary.pets().first
      let pet =
        if let known { known } else { try await diary.register(DiaryBench.form("a", photo: nil)) }
      for _ in 0..<Self.walkCount / 5 {
        number += 1
        let walk = try await record(number, of: pet, in: diary)
        kept[walk.id] = try await diary.update(walk.id, WalkChanges(weather: .clear))
        if number.isMultiple(of: 20) {
          let gone = try #require(kept.keys.min { $0.rawValue < $1.rawValue })
          try await diary.delete(gone)
          kept[gone] = nil
        }
        clock.advance(by: .seconds(3_600))
        #expect(files.openCount <= 2, "the store and its lock, after \(number) walks")
      }
      try await diary.close()
      #expect(files.openCount == 0)
      try await eventually { clock.sleeperCount == 0 }

      let size = try #require(files["\(root)/walks.store"]?.count)
      let live = try await liveSize()
      // A file below 64 KB isn't compacted, and the last commit may have made one too large.
      #expect(size <= max(2 * live, 65_536) + 4_096, "\(size) bytes for \(live)")
      let cost = try await opening(walkCount: kept.count)
      #expect(cost.calls == first?.calls ?? cost.calls, "after \(number) walks")
      #expect(cost.bytes <= size + 65_536, "after \(number) walks")
      first = first ?? cost
      #expect(try names(in: "walks.journals").isEmpty)
      let blobs = Set(kept.values.flatMap(\.blobs)).map(\.hexadecimal)
      #expect(try names(in: "walks.blobs").sorted() == blobs.sorted())
    }
    #expect(files.closedTwice.isEmpty)
  }
}
