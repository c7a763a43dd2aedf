import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("Unfinished walks on difficult devices", .timeLimit(.minutes(60)))
struct HardRecoveryTests {
  private let bench = RecordingBench()

  /// A journal that an owner without a name has left.
  private func leave(
    _ name: String, version: UInt16 = WalkEntry.header.kindVersion, payload: [UInt8]
  ) throws {
    let journals = JournalDirectory(path: RecordingBench.journals, fileSystem: bench.files)
    let prefix = [UInt8](repeating: 0, count: JournalScan.prefixSize)
    let journal = try journals.make(
      name, JournalHeader(kind: "walk", kindVersion: version), first: prefix + payload)
    journal.close()
  }

  @Test(
    "unfinished walks of newer code hide no others, by their header, their version, or an entry")
  func newerCode() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    try await walk.addPhoto([1, 2, 3])
    try leave("0-entry", payload: [200, 0, 1, 2])
    try leave("z-entry", payload: [200, 0, 1, 2])
    try leave("0-version", version: 9, payload: [1, 0, 1, 2])
    let path = RecordingBench.journals + "/0-header.journal"
    var header = JournalHeader(kind: "walk", kindVersion: 1).bytes
    header.put(fixed: 9 as UInt16, at: 8)
    header.put(
      fixed: CRC32C.checksum(header, 0..<(header.count - 4)), at: header.count - 4)
    bench.files[path] = header
    // A file that somebody put there, of a name that no walk has.
    bench.files[RecordingBench.journals + "/a b?.journal"] = [1, 2, 3]

    let next = bench.restarted(after: .seconds(7200))
    for _ in 0..<2 {
      let found = try await next.unfinished()
      #expect(found.map(\.id) == [walk.id])
      let codes = next.sessions.failures.filter { $0.key.rawValue != "a b?" }
      #expect(codes.count == 4)
      #expect(codes.values.allSatisfy { $0.code == .newerFormat })
    }
    #expect(next.files[path] == header)
    let found = try #require(try await next.unfinished().first)
    let finished = try await found.finish()
    #expect(next.diary.photos(of: finished.id) == [[1, 2, 3]])
  }

  // W8 of Docs/old-apps.md
  @Test("a reward isn't lost if the app quits between two fixes within the radius")
  func rewardBetweenFixes() async throws {
    for isNearest in [false, true] {
      let bench = RecordingBench()
      let park = place("park", 400)
      let walk = try await bench.start(
        goal: isNearest ? .nearest(of: [place("x", 900), park]) : .place(park))
      await bench.walk(walk, north: 0...34, step: 10)
      bench.clock.advance(by: .seconds(5))
      await walk.record(bench.fix(365, accuracy: 30))
      #expect(walk.current.goal?.isReached == false)
      let next = bench.restarted()
      let resumed = try await #require(try await next.unfinished().first).resume()
      #expect(resumed.current.goal?.place == park)
      for north in [370.0, 380] {
        next.clock.advance(by: .seconds(5))
        await resumed.record(next.fix(north, accuracy: 30))
      }
      #expect(resumed.current.goal?.earnsReward == true)
      #expect(try await resumed.finish().reward != nil)
    }
  }

  // W8 of Docs/old-apps.md
  @Test("the start of a walk is known after the app has quit at any byte of its journal")
  func beginningAtAnyByte() async throws {
    let park = place("park", 0)
    let walk = try await bench.start(goal: .nearest(of: [place("x", 900), park]))
    await bench.walk(walk, north: 0...2)
    let path = try #require(bench.files.paths.first { $0.hasSuffix(".journal") })
    let bytes = try #require(bench.files[path])
    var count = 0
    for size in 0...bytes.count {
      let files = MemoryFileSystem()
      try files.makeDirectories(RecordingBench.journals)
      files[path] = Array(bytes.prefix(size))
      let next = RecordingBench(files: files, clock: bench.clock)
      guard let found = try await next.unfinished().first, found.lastPoint != nil else { continue }
      count += 1
      #expect(found.goal?.place == park, "cut at \(size)")
      #expect(found.goal?.isReached == true, "cut at \(size)")
      let resumed = try await found.resume()
      bench.clock.advance(by: .seconds(1))
      await resumed.record(bench.fix(4))
      #expect(resumed.current.goal?.earnsReward == false, "cut at \(size)")
      try await resumed.discard()
    }
    #expect(count > 100)
  }

  @Test("unfinished walks are found although the journal of a saved one can't be removed")
  func journalThatStays() async throws {
    let saved = try await bench.start(["a"])
    let other = try await bench.start(["b"])
    bench.files.failAlways("remove")
    try await saved.finish()
    let next = bench.restarted()
    next.files.failAlways("remove")
    #expect(try await next.unfinished().map(\.id) == [other.id])
    next.files.failAlways(nil)
    #expect(try await next.unfinished().map(\.id) == [other.id])
    #expect(next.files.paths.count { $0.hasSuffix(".journal") } == 1)
  }

  @Test(
    "unfinished walks are found and saved on a device that accepts no writes",
    arguments: ["write", "sync"])
  func deviceThatFails(call: String) async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let next = bench.restarted()
    next.files.failAlways(call, ENOSPC)
    let found = try #require(try await next.unfinished().first)
    #expect(found.figures.pointCount == 11)
    #expect(try await found.finish().distance == found.figures.distance)
  }

  @Test("unfinished walks report that they aren't safe while they can't be synced")
  func notSafeYet() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let next = bench.restarted()
    next.files.failAlways("sync")
    let resumed = try await #require(try await next.unfinished().first).resume()
    #expect(resumed.current.savingFailure?.code == .io)
    next.files.failAlways(nil)
    try await resumed.pause()
    #expect(resumed.current.savingFailure == nil)
    for seed in 1...10 as ClosedRange<UInt64> {
      let last = next.restarted(powerCut: seed)
      #expect(try await last.unfinished().first?.figures.pointCount == 11)
    }
  }

  @Test(
    "unfinished walks are set aside whole if not even their start is readable, and reported once")
  func damagedStart() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let next = bench.restarted()
    let path = RecordingBench.journals + "/\(walk.id).journal"
    let bytes = try #require(next.files[path])
    var damaged = bytes
    damaged[WalkEntry.header.bytes.count + 20] ^= 1
    next.files[path] = damaged
    for _ in 0..<2 { #expect(try await next.unfinished().isEmpty) }
    #expect(next.sessions.failures.isEmpty)
    #expect(next.sessions.cuts.count == 1)
    #expect(next.files[path] == nil)
    let saved = try #require(next.files[path + ".damaged-1"])
    #expect(saved == Array(damaged.dropFirst(damaged.count - saved.count)))
    #expect(saved.count == damaged.count - WalkEntry.header.bytes.count)
  }

  @Test("unfinished walks are resumed after the clock was set back in between")
  func clockSetBack() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let next = bench.restarted()
    next.clock.set(now: next.clock.now.addingTimeInterval(-3600))
    let resumed = try await #require(try await next.unfinished().first).resume()
    #expect(await next.walk(resumed, north: 11...20).areAccepted)
    #expect(resumed.current.figures.segmentCount == 2)
    #expect(try await resumed.finish().duration == .seconds(21))
  }

  @Test("unfinished walks go to one of two concurrent callers, and to nobody twice")
  func twoAtOnce() async throws {
    let folder = try TemporaryFolder()
    for round in 0..<40 {
      let place = folder.url.appending(path: "\(round)")
      let first = WalkSessions(storage: .directory(place))
      let id = try await first.start(pets: [Pet.ID(rawValue: "mesh")], saving: bench.diary).id
      try await first.close()
      let diary = bench.diary
      let winners = await withTaskGroup(of: WalkRecorder?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            // Another description of the open file is to the lock what another process is.
            let sessions = WalkSessions(storage: .directory(place))
            do {
              return try await sessions.unfinished(saving: diary).first?.resume()
            } catch {
              #expect((error as? FieldError)?.code == .walkIsTaken)
              return nil
            }
          }
        }
        return await group.reduce(into: [WalkRecorder]()) { all, walk in
          if let walk { all.append(walk) }
        }
      }
      #expect(winners.map(\.id) == [id], "round \(round)")
      for walk in winners { try await walk.discard() }
    }
  }

  @Test(
    "unfinished walks are erased with their parts that were set aside, whichever code wrote them")
  func eraseAll() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    try await walk.addPhoto([1, 2, 3])
    try leave("newer", version: 9, payload: [1, 0, 1, 2])
    bench.files[RecordingBench.journals + "/broken.journal"] = [1, 2, 3]
    // Its leases would keep the photo, as this process has not ended.
    try await bench.sessions.close()
    let next = bench.restarted(after: .zero)
    let path = RecordingBench.journals + "/\(walk.id).journal"
    next.files[path] = (next.files[path] ?? []) + [1, 2, 3]
    #expect(try await next.unfinished().count == 1)
    #expect(next.sessions.cuts.count == 2)
    #expect(try await next.sessions.eraseAll() == [])
    #expect(next.files.paths.filter { !$0.hasSuffix(".lock") } == [])
  }

  @Test("unfinished walks are erased after one that is being saved has been saved")
  func eraseWhileSaving() async throws {
    let gate = Gate()
    let bench = RecordingBench(diary: FakeDiary(gate: gate))
    let other = try await bench.start(["a"])
    let walk = try await bench.start(["b"])
    await bench.walk(walk, north: 0...3)
    async let finished = walk.finish()
    await gate.someone()
    async let erased = bench.sessions.eraseAll()
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    _ = try await (finished, erased)
    #expect(walk.state == .saved)
    #expect(other.state == .discarded)
    #expect(try await bench.unfinished().isEmpty)
  }

  @Test("unfinished walks are erased even if one is closed at that moment")
  func eraseWhileClosing() async throws {
    let drafts = ClosingBlobs()
    let journals = JournalDirectory(path: RecordingBench.journals, fileSystem: bench.files)
    let sessions = WalkSessions(findPlaces: { (journals, drafts) }, clock: bench.clock)
    let walk = try await sessions.start(pets: ["a"], goal: nil, saving: bench.diary)
    try await walk.addPhoto([1])
    drafts.recorder.withLock { $0 = walk }
    #expect(try await sessions.eraseAll() == [])
    #expect(walk.state != .discarded)
    #expect(try journals.names().isEmpty)
  }
}

/// Photos that close a recorder before they are released, as another task may.
private final class ClosingBlobs: ForwardingBlobStore {
  private let base = InMemoryBlobStore()
  let recorder = Lock<WalkRecorder?>(nil)

  func target() -> any BlobStore { base }

  func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    recorder.withLock { $0 }?.close()
    try await base.sweepUnclaimed(releasing: ids, keepingThoseOf: blobsInUse)
  }
}
