import FieldCore
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("A store file that is shared", .timeLimit(.minutes(1)))
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

  @Test("by two processes shows each the other's commits")
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

  @Test("by two processes takes their commits one after another, without a look in between")
  func interleaving() async throws {
    let stores = [other(), other(), other()]
    for step in 0..<60 { try await stores[step % 3].put(Note(step)) }
    for store in stores {
      #expect(try await store.all == (0..<60).map { Note($0) })
      #expect(try await store.snapshot().revision.number == 60)
    }
  }

  @Test("by two processes that commit at once loses nothing")
  func concurrent() async throws {
    let stores = [other(), other()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          for step in 0..<50 {
            try await store.update(attempts: 1000) { snapshot, changes in
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
      #expect(snapshot.count == 101)
      #expect(snapshot[id: 0]?.text == "100")
    }
  }

  @Test("is a conflict for a process that has not seen the other's commit")
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

  @Test("and compacted by one process is read anew by the other")
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

  @Test("with a process that died in a commit has the torn end saved and cut by the next commit")
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

  @Test("that vanishes leaves its readers what they had, and its writers a clear error")
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

  @Test("waits for a lock that another process holds, and no longer than its patience")
  func busy() async throws {
    let store = other(patience: .milliseconds(60))
    try await store.put(Note(1))
    let holder = unsafe open(file.path + ".lock", O_RDWR)
    #expect(flock(holder, LOCK_EX) == 0)
    let error = await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(error?.code == .busy)
    #expect(try await store.all == [Note(1)], "reading takes no lock")
    #expect(flock(holder, LOCK_UN) == 0)
    close(holder)
    try await store.put(Note(2))
    #expect(try await store.all.count == 2)
  }

  @Test("stops waiting for the lock when its task is cancelled")
  func cancelledWait() async throws {
    let store = other()
    try await store.put(Note(1))
    let holder = unsafe open(file.path + ".lock", O_RDWR)
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

  @Test("is not locked while nothing is done to it")
  func unlocked() async throws {
    let store = other()
    try await store.put(Note(1))
    let probe = unsafe open(file.path + ".lock", O_RDWR)
    defer { close(probe) }
    #expect(flock(probe, LOCK_EX | LOCK_NB) == 0)
  }

  // MARK: one process

  @Test("by equal paths of one process is one store", arguments: ["", "./", "../notes/", "link/"])
  func registry(detour: String) async throws {
    let directory = folder.url.appending(path: "notes")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: directory.appending(path: "link"), withDestinationURL: directory)
    let first = FileStore<Note>(directory.appending(path: "a.store"))
    let second = FileStore<Note>(URL(filePath: directory.path + "/" + detour + "a.store"))
    #expect(try first.core() === second.core())
    var updates = second.updates().makeAsyncIterator()
    _ = try await updates.next()
    try await first.put(Note(1))
    #expect(try await updates.next()?.map(\.id) == [1])
  }

  @Test("goes on for one user when another closes")
  func closeOne() async throws {
    let first = FileStore<Note>(file)
    let second = FileStore<Note>(file)
    try await first.put(Note(1))
    _ = try await second.snapshot()
    var ends = first.updates().makeAsyncIterator()
    var goesOn = second.updates().makeAsyncIterator()
    _ = try await ends.next()
    _ = try await goesOn.next()
    try await first.close()
    #expect(try await ends.next() == nil)
    try await second.put(Note(2))
    #expect(try await goesOn.next()?.count == 2)
    for use in [
      { _ = try await first.snapshot() }, { try await first.put(Note(3)) },
      { _ = try await first.open() },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: FieldError.self) { try await use() }
      #expect(error?.code == .closed)
    }
    try await first.close()
    let again = FileStore<Note>(file)
    #expect(try await again.all.count == 2)
  }

  @Test("is opened once for all callers")
  func openedOnce() async throws {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Note>(unsharedPath: "/data/a.store", fileSystem: fileSystem)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await store.snapshot().count } }
      for try await count in group { #expect(count == 0) }
    }
    #expect(fileSystem.log.filter { $0.hasSuffix("open /data/a.store.new") }.count == 1)
  }

  @Test("is not opened for a cancelled task, and is for the next; closing is done all the same")
  func cancelled() async throws {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Note>(unsharedPath: "/data/a.store", fileSystem: fileSystem)
    for use in [
      { _ = try await store.open() }, { _ = try await store.snapshot() },
      { try await store.put(Note(1)) },
      { try await store.update { _, changes in changes.upsert(Note(2)) } },
    ] as [@Sendable () async throws -> Void] {
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await use()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(fileSystem.callCount == 0)
    try await store.put(Note(3))
    #expect(try await store.all == [Note(3)])
    let closing = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await store.close()
    }
    try await closing.value
    #expect(fileSystem.openCount == 0)
  }

  @Test("keeps what must change together in one batch: a record may be an enum over tables")
  func tables() async throws {
    let store = FileStore<Table>(file)
    var changes = Changes<Table>()
    changes.upsert(.pet(id: 1, name: "mesh"))
    changes.upsert(.walk(id: 1, meters: 300))
    try await store.commit(
      changes, checkpoint: Checkpoint(cursors: ["pets": "a", "walks": "b"]), expecting: nil)
    let again = try await FileStore<Table>(unsharedPath: file.path).snapshot()
    #expect(Array(again) == [.pet(id: 1, name: "mesh"), .walk(id: 1, meters: 300)])
    #expect(again.checkpoint?.cursors == ["pets": "a", "walks": "b"])
    #expect(again[id: "walk-1"] == .walk(id: 1, meters: 300))
  }

  @Test("is not touched before its first use")
  func lazy() async throws {
    let store = FileStore<Note>(folder.url.appending(path: "deep/er/a.store"))
    #expect(store.openingReport == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let report = try await store.open()
    #expect(report.isClean && report.revision == .zero)
  }

  @Test("fails early when it is opened where it cannot be")
  func failsEarly() async throws {
    try Data("x".utf8).write(to: folder.url.appending(path: "file"))
    let store = FileStore<Note>(folder.url.appending(path: "file/a.store"))
    let error = await #expect(throws: FieldError.self) { try await store.open() }
    #expect(error?.code == .io)
    let web = try FileStore<Note>(#require(URL(string: "https://example.org/a.store")))
    let other = await #expect(throws: FieldError.self) { try await web.open() }
    #expect(other?.code == .invalidInput)
  }

  @Test("belongs to its owner alone")
  func permissions() async throws {
    let file = folder.url.appending(path: "made/here/a.store")
    try await FileStore<Note>(file).put(Note(1))
    func mode(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
    #expect(try mode(file) == 0o600)
    #expect(try mode(URL(filePath: file.path + ".lock")) == 0o600)
    #expect(try mode(file.deletingLastPathComponent()) == 0o700)
    #expect(try mode(folder.url.appending(path: "made")) == 0o700)
  }

  // MARK: read only

  @Test("and read only takes no lock, writes nothing and sees what others commit")
  func readOnly() async throws {
    let reader = other(access: .readOnly)
    #expect(try await reader.all == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let writer = other()
    try await writer.put(Note(1))
    #expect(try await reader.all == [Note(1)])
    let holder = unsafe open(file.path + ".lock", O_RDWR)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    #expect(try await other(access: .readOnly).all == [Note(1)])
    let error = await #expect(throws: FieldError.self) { try await reader.put(Note(2)) }
    #expect(error?.code == .readOnly)
  }

  @Test("and read only reports a torn end and leaves it")
  func readOnlyTorn() async throws {
    try await other().put(Note(1))
    let whole = try Data(contentsOf: file)
    try (whole + [1, 2, 3]).write(to: file)
    let reader = other(access: .readOnly)
    let report = try await reader.open()
    #expect(report.cuts.map(\.byteCount) == [3])
    #expect(report.cuts.map(\.savedAs) == [nil])
    #expect(try await reader.all == [Note(1)])
    #expect(try Data(contentsOf: file) == whole + [1, 2, 3])
  }

  @Test("removes what an interrupted compaction left")
  func leftovers() async throws {
    try await other().put(Note(1))
    try Data("half".utf8).write(to: URL(filePath: file.path + ".new"))
    let store = other()
    let report = try await store.open()
    #expect(report.removedLeftovers.map(\.lastPathComponent) == ["notes.store.new"])
    #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
    #expect(try await store.all == [Note(1)])
  }

  @Test("is synced by a commit that changes nothing when nobody has synced it before")
  func unsyncedContent() async throws {
    let fileSystem = MemoryFileSystem()
    try await FileStore<Note>(
      unsharedPath: "/a.store", durability: .deferred, fileSystem: fileSystem
    ).put(Note(1))
    let store = FileStore<Note>(unsharedPath: "/a.store", fileSystem: fileSystem)
    try await store.put(Note(1))
    for seed in 1...20 as ClosedRange<UInt64> {
      let after = fileSystem.afterCrash(seed: seed)
      let store = FileStore<Note>(unsharedPath: "/a.store", fileSystem: after)
      #expect(try await store.all == [Note(1)])
    }
  }

  @Test("with deferred durability holds some whole prefix after a loss of power")
  func deferred() async throws {
    var kept: Set<Int> = []
    for seed in 1...60 as ClosedRange<UInt64> {
      let fileSystem = MemoryFileSystem()
      let store = FileStore<Note>(
        unsharedPath: "/a.store", durability: .deferred, fileSystem: fileSystem)
      for id in 0..<6 { try await store.put(Note(id)) }
      let after = fileSystem.afterCrash(seed: seed)
      let all = try await FileStore<Note>(unsharedPath: "/a.store", fileSystem: after).all
      #expect(all == (0..<all.count).map { Note($0) }, "seed \(seed)")
      kept.insert(all.count)
    }
    #expect(kept.count > 2)
  }
}

private enum Table: StoredRecord {
  case pet(id: Int, name: String)
  case walk(id: Int, meters: Double)

  var id: String {
    switch self {
    case .pet(let id, _): "pet-\(id)"
    case .walk(let id, _): "walk-\(id)"
    }
  }
}
