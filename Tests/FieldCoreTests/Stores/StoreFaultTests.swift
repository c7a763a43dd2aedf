import FieldCore
import Foundation
import TestSupport
import Testing

/// A fixed piece of work on a store, and what it has been told.
private final class Workload {
  /// The content after each commit that returned, the empty store first.
  var acknowledged: [[Note]] = [[]]
  /// The content that the commit under way would have led to.
  var inFlight: [Note]?
  /// The content that the first commit that failed would have led to.
  var firstInFlight: [Note]?
  var model: [Note] = []
  var failures: [any Error] = []

  /// Opens the store and commits a dozen batches, large enough for a compaction or two.
  ///
  /// It goes on after a failure, as an app does, and tries the same batch again at most once.
  func run(_ store: FileStore<Note>) async {
    for step in 0..<12 {
      let large = String(repeating: "\(step)", count: 12_000)
      var changes = Changes<Note>()
      changes.upsert(Note(step % 3, large))
      changes.upsert(Note(100 + step, "s"))
      if step % 4 == 3 { changes.remove(100 + step - 2) }
      if step == 9 { changes.removeAll() }
      var next = Snapshot(model)
      next = next.applying(changes)
      for _ in 0..<2 {
        inFlight = Array(next)
        do {
          try await store.commit(
            changes, checkpoint: Checkpoint(fingerprint: "\(step)"), expecting: nil)
          model = Array(next)
          acknowledged.append(model)
          inFlight = nil
          break
        } catch {
          failures.append(error)
          firstInFlight = firstInFlight ?? inFlight
        }
      }
    }
  }
}

@Suite("A store file if calls fail", .heavy)
struct StoreFaultTests {
  private static let path = "/data/notes.store"

  private static func store(_ fileSystem: MemoryFileSystem) -> FileStore<Note> {
    FileStore<Note>(unsharedPath: path, fileSystem: fileSystem, patience: .milliseconds(20))
  }

  /// How many calls the work makes when nothing fails.
  private static func callCount() async throws -> Int {
    let fileSystem = MemoryFileSystem()
    let workload = Workload()
    let store = store(fileSystem)
    await workload.run(store)
    try #require(workload.failures.isEmpty)
    #expect(fileSystem.log.filter { $0.contains("rename") }.count >= 2, "nothing was compacted")
    return fileSystem.callCount
  }

  @Test("a store file closes each file once when a short one is replaced, even if closing fails")
  func failedClose() async throws {
    let fileSystem = MemoryFileSystem()
    let path = "/data/notes.store"
    fileSystem[path] = Array("FKS".utf8)
    // The copy of the short file is closed first.
    fileSystem.failCalls("close", after: 1)
    let store = FileStore<Note>(unsharedPath: path, fileSystem: fileSystem)
    #expect(try await store.open().cuts.count == 1)
    try await store.put(Note(1))
    fileSystem.failAlways(nil)
    try await store.close()
    #expect(fileSystem.closedTwice == [])
    #expect(fileSystem.openCount == 0)
  }

  @Test("a store file keeps the last good state if any one call fails", arguments: [ENOSPC, EIO])
  func oneFailure(error: Int32) async throws {
    for call in Sample.of(1...(try await Self.callCount()), 8, inDebug: 5) {
      for fault in [MemoryFileSystem.Fault.failure(error), .partialFailure(error)] {
        let fileSystem = MemoryFileSystem()
        fileSystem.fail(at: call, fault)
        let workload = Workload()
        let store = Self.store(fileSystem)
        await workload.run(store)
        let what: Comment = "call \(call): \(fault), \(workload.failures)"
        for failure in workload.failures {
          let code = try #require((failure as? FieldError)?.code, what)
          #expect([.io, .diskFull, .needsReopening].contains(code), what)
        }
        // One failing call costs one commit, and the same commit works when it is tried again.
        #expect(workload.failures.count <= 1, what)
        #expect(workload.acknowledged.count == 13, what)
        #expect(try await store.all == workload.model, what)
        #expect(try await Self.store(fileSystem).all == workload.model, what)
      }
    }
  }

  @Test("a store file reports a full disk as such, and works again when there is space")
  func diskFull() async throws {
    let fileSystem = MemoryFileSystem()
    let store = Self.store(fileSystem)
    try await store.put(Note(1))
    fileSystem.failAlways("write", ENOSPC)
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(error?.code == .diskFull)
    #expect((error?.underlying as? FileSystemError)?.number == ENOSPC)
    #expect(try await store.all == [Note(1)])
    fileSystem.failAlways(nil)
    try await store.put(Note(2))
    #expect(try await Self.store(fileSystem).all == [Note(1), Note(2)])
  }

  @Test("a store file rejects commits after one that can't be undone, until it is opened again")
  func needsReopening() async throws {
    let fileSystem = MemoryFileSystem()
    let store = Self.store(fileSystem)
    try await store.put(Note(1))
    fileSystem.failAlways("sync")
    let first = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(first?.code == .io)
    fileSystem.failAlways(nil)
    let second = await #expect(throws: FieldError.self) { try await store.put(Note(3)) }
    #expect(second?.code == .needsReopening)
    #expect(try await store.all == [Note(1)], "reads go on")
    try await store.open()
    try await store.put(Note(4))
    #expect(try await store.all == [Note(1), Note(4)])
    #expect(try await Self.store(fileSystem).all == [Note(1), Note(4)])
  }

  @Test("a store file shows readers what other processes commit while it rejects commits itself")
  func readsOn() async throws {
    for call in ["sync", "truncate"] {
      let fileSystem = MemoryFileSystem()
      let store = Self.store(fileSystem)
      try await store.put(Note(1))
      let view = store.updates()
      var views = view.makeAsyncIterator()
      #expect(try await views.next()?.count == 1)
      fileSystem.failAlways("sync")
      if call == "truncate" { fileSystem.failCalls("truncate", after: 0) }
      await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
      fileSystem.failAlways(nil)
      let other = Self.store(fileSystem)
      try await other.put(Note(3))
      let expected = try await other.all
      #expect(expected.contains(Note(3)))
      #expect(try await store.all == expected, "\(call)")
      #expect(try await views.next().map { Array($0) } == expected)
      // It has still to be opened for commits, and what it reads doesn't change that.
      for number in 4...6 {
        let error = await #expect(throws: FieldError.self) { try await store.put(Note(9)) }
        #expect(error?.code == .needsReopening)
        try await other.put(Note(number))
        #expect(try await store.all.last == Note(number), "\(call)")
      }
      try await store.open()
      try await store.put(Note(7))
      #expect(try await other.all.suffix(2) == [Note(6), Note(7)])
    }
  }

  @Test("a store file commits durably even if compaction fails", arguments: ["rename", "open"])
  func compactionFails(call: String) async throws {
    let fileSystem = MemoryFileSystem()
    let store = Self.store(fileSystem)
    try await store.put(Note(0))
    for step in 1...20 {
      if step == 3 { fileSystem.failAlways(call) }
      try await store.put(Note(1, String(repeating: "\(step % 10)", count: 12_000)))
    }
    #expect(try store.core().compactionFailure != nil)
    fileSystem.failAlways(nil)
    let size = try #require(fileSystem[Self.path]?.count)
    for step in 0..<40 {
      try await store.put(Note(1, String(repeating: "\(step % 10)", count: 12_000)))
    }
    #expect(try store.core().compactionFailure == nil)
    #expect(try #require(fileSystem[Self.path]?.count) < size)
    #expect(try await Self.store(fileSystem).snapshot().count == 2)
  }

  @Test("a store file closes what it opened, whatever fails")
  func descriptors() async throws {
    for call in Sample.of(1...(try await Self.callCount()), 12) {
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .failure(EIO))
      let store = Self.store(fileSystem)
      await Workload().run(store)
      try? await store.close()
      #expect(fileSystem.openCount == 0, "call \(call): \(fileSystem.log.suffix(5))")
    }
  }
}

@Suite("A store file after a crash", .heavy)
struct StoreCrashTests {
  private static let path = "/data/notes.store"

  @Test(
    "a store after a crash has what was acknowledged, and the batch in flight whole or not at all",
    arguments: Sample.of([nil, 1, 2, 3, 4, 5] as [UInt64?], 3))
  func crashAtEveryCall(seed: UInt64?) async throws {
    var last = 0
    for call in Sample.steps(from: 1, apart: 14, inDebug: 28) {
      last = call
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .crash)
      let workload = Workload()
      await workload.run(
        FileStore<Note>(
          unsharedPath: Self.path, fileSystem: fileSystem, patience: .milliseconds(1)))
      if fileSystem.callCount < call { break }
      let after = fileSystem.afterCrash(seed: seed.map { $0 &* 1_000_003 &+ UInt64(call) })
      let store = FileStore<Note>(unsharedPath: Self.path, fileSystem: after)
      let what: Comment = "seed \(seed ?? 0), call \(call): \(fileSystem.log.suffix(4))"
      let found = try await store.all
      let acknowledged = try #require(workload.acknowledged.last)
      // After the crash the workload tries on; only the first batch was in flight.
      #expect(found == acknowledged || found == workload.firstInFlight, what)
      let checkpoint = try await store.snapshot().checkpoint?.fingerprint
      let step = workload.acknowledged.count - 2
      #expect(
        checkpoint == (found == acknowledged ? (step < 0 ? nil : "\(step)") : "\(step + 1)")
          || acknowledged == workload.firstInFlight, what)
      try await store.put(Note(-1))
      // And then the power is lost, also when before it was only the process.
      for loss in 1...3 as ClosedRange<UInt64> {
        let again = FileStore<Note>(
          unsharedPath: Self.path, fileSystem: after.afterCrash(seed: loss &+ UInt64(call)))
        #expect(try await again.all == found + [Note(-1)], what)
      }
      #expect(!after.paths.contains(Self.path + ".new"), what)
    }
    #expect(last > 100)
  }

  @Test(
    "a store after a crash while its damaged end is cut has lost none of these bytes",
    arguments: [nil, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt64?])
  func crashWhileCutting(seed: UInt64?) async throws {
    let first = MemoryFileSystem()
    let writer = FileStore<Note>(unsharedPath: Self.path, fileSystem: first)
    try await writer.put(Note(1))
    let whole = try #require(first[Self.path])
    try await writer.put(Note(2, "this is what must not be lost"))
    try await writer.close()
    let torn = Array(try #require(first[Self.path]).dropLast(3))
    let tail = Array(torn[whole.count...])
    var call = 0
    while true {
      call += 1
      let fileSystem = MemoryFileSystem()
      fileSystem[Self.path] = torn
      fileSystem[Self.path + ".lock"] = []
      fileSystem.fail(at: call, .crash)
      _ = try? await FileStore<Note>(unsharedPath: Self.path, fileSystem: fileSystem).open()
      if fileSystem.callCount < call { break }
      let after = fileSystem.afterCrash(seed: seed.map { $0 &* 31 &+ UInt64(call) })
      let what: Comment = "seed \(seed ?? 0), call \(call): \(fileSystem.log.suffix(4))"
      let isInPlace = after[Self.path] == torn
      let copies = after.paths.filter { $0.contains(".damaged-") }
      #expect(isInPlace || copies.contains { after[$0] == tail }, what)
      #expect(after[Self.path]?.starts(with: whole) == true, what)
      let store = FileStore<Note>(unsharedPath: Self.path, fileSystem: after)
      #expect(try await store.all == [Note(1)], what)
      #expect(after.paths.contains { $0.contains(".damaged-") && after[$0] == tail }, what)
    }
    #expect(call > 15)
  }
}
