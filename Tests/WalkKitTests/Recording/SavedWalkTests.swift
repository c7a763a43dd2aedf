import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// The files of a diary and of its journals, whose names no other test uses.
private struct SavingDevice {
  private let name = "/\(UUID().uuidString)/walks"
  var files = MemoryFileSystem()

  /// A process that uses the device.
  struct Process {
    let diary: WalkDiary
    let saver: DiaryCore
    let sessions: WalkSessions
    let clock = ManualClock(now: DiaryBench.noon)

    init(_ name: String, _ files: MemoryFileSystem, _ durability: Durability) {
      let blobs = FileBlobStore(
        path: name + ".blobs", grace: .zero, clock: clock, fileSystem: files)
      let store = FileStore<WalkRecord>(
        unsharedPath: name + ".store", durability: durability, fileSystem: files)
      diary = DiaryBench(records: store, blobs: blobs).diary
      saver = diary.core
      let journals = JournalDirectory(path: name + ".journals", fileSystem: files)
      let drafts = InMemoryBlobStore()
      sessions = WalkSessions(findPlaces: { (journals, drafts) }, clock: clock)
    }

    /// Records a walk up to its end.
    func record() async throws -> WalkRecorder {
      let pet = try await diary.register(DiaryBench.form("a", photo: nil))
      let recorder = try await sessions.start(pets: [pet.id], saving: saver)
      for step in 0..<3 {
        clock.advance(by: .seconds(1))
        let fix = LocationFix(
          coordinate: RecordingBench.point(1.5 * Double(step), 0), accuracy: .meters(8),
          time: clock.now)
        #expect(await recorder.record(fix).isAccepted)
      }
      return recorder
    }

    /// Whether a walk is in the diary or unfinished.
    func contains(_ id: Walk.ID) async throws -> Bool {
      if try await saver.savedWalk(id) != nil { return true }
      return try await sessions.unfinished(saving: saver).contains { $0.id == id }
    }
  }

  func process(_ durability: Durability = .full) -> Process { Process(name, files, durability) }

  /// The same device after the process has died, or, with a seed, after a power failure.
  func restarted(seed: UInt64? = nil) -> SavingDevice {
    var next = self
    next.files = files.afterCrash(seed: seed)
    return next
  }
}

@Suite("A walk that was saved", .timeLimit(.minutes(60)))
struct SavedWalkTests {
  private static let seeds = Sample.of(1...8 as ClosedRange<UInt64>, inDebug: 4)

  @Test(
    "a saved walk isn't lost if its process dies at any call, and the power fails after a search")
  func searchedBeforeSyncing() async throws {
    var (call, removedCount) = (0, 0)
    while true {
      call += 1
      let device = SavingDevice()
      let recorder = try await device.process().record()
      let calls = device.files.callCount
      device.files.fail(at: calls + call, .crash)
      // Nothing is promised to a process that dies here.
      _ = try? await recorder.finish()
      if device.files.callCount < calls + call { break }
      let next = device.restarted()
      let process = next.process()
      if try await process.sessions.unfinished(saving: process.saver).isEmpty { removedCount += 1 }
      for seed in Self.seeds {
        let isThere = try await next.restarted(seed: seed).process().contains(recorder.id)
        #expect(isThere, "call \(call), seed \(seed): \(device.files.log.last ?? "")")
      }
    }
    #expect(removedCount > 3)
  }

  @Test("a saved walk isn't lost if the power fails and its store defers syncs")
  func deferred() async throws {
    let device = SavingDevice()
    let recorder = try await device.process(.deferred).record()
    try await recorder.finish()
    for seed in Self.seeds {
      #expect(
        try await device.restarted(seed: seed).process().contains(recorder.id), "seed \(seed)")
    }
  }

  @Test("a saved walk is not unfinished after it was deleted, even if its journal had stayed")
  func deleted() async throws {
    let device = SavingDevice()
    let process = device.process()
    let recorder = try await process.record()
    let path = try #require(device.files.paths.first { $0.hasSuffix(".journal") })
    let journal = device.files[path]
    try await recorder.finish()
    device.files[path] = journal
    #expect(try process.sessions.journals().names() == [recorder.id.rawValue])
    try await process.sessions.removeRest(of: recorder.id, process.saver)
    try await process.diary.delete(recorder.id)
    #expect(try await process.sessions.unfinished(saving: process.saver).isEmpty)
    #expect(try process.sessions.journals().names() == [])
  }

  @Test("a saved walk keeps its journal while it can't be synced, and the other walks are found")
  func notSynced() async throws {
    let device = SavingDevice()
    let process = device.process(.deferred)
    let recorder = try await process.record()
    // Those of the journal and of the route succeed.
    device.files.failCalls("sync", after: 2)
    await #expect(throws: FieldError.self) { try await recorder.finish() }
    let next = device.restarted()
    let other = next.process()
    next.files.failAlways("sync")
    #expect(try await other.saver.savedWalk(recorder.id) != nil)
    #expect(try await other.sessions.unfinished(saving: other.saver).isEmpty)
    #expect(try other.sessions.journals().names() == [recorder.id.rawValue])
    next.files.failAlways(nil)
    #expect(try await other.sessions.unfinished(saving: other.saver).isEmpty)
    #expect(try other.sessions.journals().names() == [])
  }
}
