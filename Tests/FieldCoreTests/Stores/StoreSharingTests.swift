import FieldCore
import FieldLibc
import Foundation
import Testing
import TestSupport

@Suite("A store file that processes share", .timeLimit(.minutes(60)))
struct StoreSharingTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.url.appending(path: "notes.store") }

  init() throws { folder = try TemporaryFolder() }

  /// A store as another process has it.
  private func other(access: StoreAccess = .readWrite, patience: Duration = .seconds(30))
    -> FileStore<Note>
  {
    FileStore<Note>(unsharedPath: file.path, access: access, patience: patience)
  }

  // MARK: processes

  @Test("a shared store file shows each of two processes the other's commits")
  func twoProcesses() async throws {
    let first = other()
    let second = other()
    try await first.put(Note(1))
    #expect(try await second.all == [Note(1)])
    try await second.put(Note(2))
    #expect(try await first.all == [Note(1), Note(2)])
    try await first.put(Note(1, "new"), removing: [2])
    #expect(try await second.all == [Note(1, "new")])
  }

  @Test("a shared store file is never empty to those who read it while it opens")
  func readingDuringOpening() async throws {
    let fileSystem = MemoryFileSystem()
    @Sendable func store() -> FileStore<Note> {
      FileStore<Note>(unsharedPath: "/data/notes.store", fileSystem: fileSystem)
    }
    try await store().put(Note(1))
    var chance = SeededGenerator(seed: Sample.seed())
    for _ in 0..<Sample.rounds(20_000, 2_000, inDebug: 1_000) {
      let opening = store()
      let delays = (0..<2).map { _ in Int.random(in: 0..<1_000, using: &chance) }
      try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { try await opening.open().recordCount }
        for delay in delays {
          group.addTask {
            for _ in 0..<delay { _ = opening.openingReport }
            return try await opening.all.count
          }
        }
        for try await count in group { #expect(count == 1) }
      }
    }
  }

  @Test("a shared store file accepts commits of two processes in turn, without a read in between")
  func interleaving() async throws {
    let stores = [other(), other(), other()]
    for step in 0..<60 { try await stores[step % 3].put(Note(step)) }
    for store in stores {
      #expect(try await store.all == (0..<60).map { Note($0) })
      #expect(try await store.snapshot().revision.number == 60)
    }
  }

  @Test("a shared store file updated concurrently by 64 callers in two processes loses nothing")
  func concurrent() async throws {
    let stores = [other(), other()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        for step in 0..<32 {
          group.addTask {
            try await store.update { snapshot, changes in
              changes.upsert(Note(0, "\((Int(snapshot[id: 0]?.text ?? "0") ?? 0) + 1)"))
              changes.upsert(Note(1000 * (number + 1) + step))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for store in stores {
      let snapshot = try await store.snapshot()
      #expect(snapshot.count == 65)
      #expect(snapshot[id: 0]?.text == "64")
    }
  }

  @Test("a commit to a shared file is a conflict in a process that hasn't seen the other's commit")
  func conflict() async throws {
    let first = other()
    let second = other()
    let seen = try await second.put(Note(1))
    #expect(try await first.snapshot().revision == seen)
    try await second.put(Note(2))
    let error = await #expect(throws: FieldError.self) {
      try await first.commit(Changes([Note(3)]), checkpoint: nil, expecting: seen)
    }
    #expect(error?.code == .conflict)
    #expect(try await first.all == [Note(1), Note(2)])
  }

  @Test("a shared store file compacted by one process is read again by the other")
  func compaction() async throws {
    let first = other()
    let second = other()
    try await first.put(Note(0))
    #expect(try await second.all == [Note(0)])
    let held = try await second.snapshot()
    for step in 0..<40 {
      try await first.put(Note(1, String(repeating: "\(step % 10)", count: 9000)))
    }
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    #expect(try #require(size) < 200_000, "it was not compacted")
    let seen = try await second.snapshot()
    #expect(Array(seen) == (try await first.all))
    #expect(seen.revision.number == 41)
    #expect(seen.generation != held.generation)
    #expect(Array(held) == [Note(0)])
    try await second.put(Note(2))
    #expect(try await first.all.map(\.id) == [0, 1, 2])
  }

  @Test("the torn end of a process that died in a commit is saved and cut by the next commit")
  func tornByOther() async throws {
    let first = other()
    try await first.put(Note(1))
    let whole = try Data(contentsOf: file)
    try await first.put(Note(2))
    let both = try Data(contentsOf: file)
    let torn = both.dropLast(5)
    // The file is put back to the middle of the second commit, in the same inode.
    let second = other()
    try Self.overwrite(file, torn)
    #expect(try await second.all == [Note(1)])
    let third = other(access: .readOnly)
    #expect(try await third.all == [Note(1)])
    #expect(try Data(contentsOf: file) == torn.prefix(whole.count), "opening cuts")
    #expect(second.openingReport?.cuts.count == 1)
    try Self.overwrite(file, torn)
    #expect(try await second.all == [Note(1)])
    #expect(try Data(contentsOf: file) == torn, "reading does not cut")
    try await second.put(Note(3))
    #expect(second.openingReport?.cuts.count == 2)
    #expect(try await other().all == [Note(1), Note(3)])
    // The first process has seen the second commit, which is gone.
    #expect(try await first.all == [Note(1), Note(3)])
    let saved = file.path + ".damaged-2"
    #expect(try Data(contentsOf: URL(filePath: saved)) == torn.dropFirst(whole.count))
  }

  private static func overwrite(_ file: URL, _ data: Data) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: data)
    try handle.close()
  }

  @Test("a shared store that disappears leaves readers their content, and writers a clear error")
  func vanished() async throws {
    let store = other()
    try await store.put(Note(1))
    try FileManager.default.removeItem(at: file)
    #expect(try await store.all == [Note(1)])
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(error?.code == .needsReopening)
    #expect(try await store.all == [Note(1)])
    try await store.open()
    #expect(try await store.all == [])
    try await store.put(Note(3))
    #expect(try await other().all == [Note(3)])
  }

  @Test("a shared store that was replaced after it disappeared is read by those who can't commit")
  func replacedAfterRefusal() async throws {
    let store = other()
    try await store.put(Note(1))
    try FileManager.default.removeItem(at: file)
    await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    let second = other()
    try await second.put(Note(3))
    #expect(try await store.all == [Note(3)])
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(4)) }
    #expect(error?.code == .needsReopening)
    try await second.put(Note(5))
    #expect(try await store.all == [Note(3), Note(5)])
    try await store.open()
    try await store.put(Note(6))
    #expect(try await second.all == [Note(3), Note(5), Note(6)])
  }

  @Test(
    "a shared store file waits for a lock that another process holds, but only for a limited time")
  func busy() async throws {
    let store = other(patience: .milliseconds(60))
    try await store.put(Note(1))
    let holder = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
    #expect(flock(holder, LOCK_EX) == 0)
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(error?.code == .busy)
    #expect(try await store.all == [Note(1)], "reading takes no lock")
    #expect(flock(holder, LOCK_UN) == 0)
    close(holder)
    try await store.put(Note(2))
    #expect(try await store.all.count == 2)
  }

  @Test("a shared store file is locked by the current lock file, not by one that was removed")
  func replacedLockFile() async throws {
    let store = other(patience: .milliseconds(60))
    try await store.put(Note(1))
    let lock = file.path + ".lock"
    try FileManager.default.removeItem(atPath: lock)
    try Data().write(to: URL(filePath: lock))
    let holder = unsafe open(lock, O_RDWR | O_CLOEXEC)
    #expect(flock(holder, LOCK_EX) == 0)
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(error?.code == .busy)
    close(holder)
    try await store.put(Note(3))
    #expect(try await other().all == [Note(1), Note(3)])
  }

  @Test("a shared store file stops waiting for the lock if its task is canceled")
  func cancelledWait() async throws {
    let store = other()
    try await store.put(Note(1))
    let holder = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
    #expect(flock(holder, LOCK_EX) == 0)
    let task = Task { try await store.put(Note(2)) }
    let queued = Task { try await store.put(Note(3)) }
    try await Task.sleep(for: .milliseconds(20))
    queued.cancel()
    task.cancel()
    for task in [task, queued] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    close(holder)
    #expect(try await store.all == [Note(1)])
    try await store.put(Note(4))
  }

  @Test("a shared store file isn't locked while it is idle")
  func unlocked() async throws {
    let store = other()
    try await store.put(Note(1))
    let probe = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(probe) }
    #expect(flock(probe, LOCK_EX | LOCK_NB) == 0)
  }
}
