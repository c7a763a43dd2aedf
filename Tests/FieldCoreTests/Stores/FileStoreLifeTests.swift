import FieldCore
import FieldLibc
import Foundation
import Testing
import TestSupport

@Suite("A store file in a process", .timeLimit(.minutes(60)))
struct FileStoreLifeTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.url.appending(path: "notes.store") }

  init() throws { folder = try TemporaryFolder() }

  /// A store as another process has it.
  private func other(access: StoreAccess = .readWrite, patience: Duration = .seconds(30))
    -> FileStore<Note>
  {
    FileStore<Note>(unsharedPath: file.path, access: access, patience: patience)
  }

  @Test(
    "store files with equal paths are one store in a process",
    arguments: ["", "./", "../notes/", "link/"])
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

  /// A child process between fork and exec holds such a copy, and so would keep the lock.
  @Test("a store file releases its lock on closing, even if a copy of its descriptor stays open")
  func inheritedDescriptor() throws {
    let files = PosixFileSystem()
    let owner = try files.openFile(file.path, .making)
    #expect(try files.tryLock(owner))
    let copy = dup(owner.descriptor)
    defer { close(copy) }
    let next = try files.openFile(file.path, .writing)
    defer { _ = try? files.closeFile(next) }
    #expect(try !files.tryLock(next))
    try files.closeFile(owner)
    #expect(try files.tryLock(next))
  }

  @Test("a store file stays open for one user when another closes")
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

  @Test("a store file is opened once for all callers")
  func openedOnce() async throws {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Note>(unsharedPath: "/data/a.store", fileSystem: fileSystem)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await store.snapshot().count } }
      for try await count in group { #expect(count == 0) }
    }
    #expect(fileSystem.log.filter { $0.hasSuffix("open /data/a.store.new") }.count == 1)
  }

  @Test("a store file isn't opened for a canceled task, but for the next; closing is done anyway")
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

  @Test("a store file keeps related changes in one batch: a record may be an enum over tables")
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

  @Test("a store file isn't touched before its first use")
  func lazy() async throws {
    let store = FileStore<Note>(folder.url.appending(path: "deep/er/a.store"))
    #expect(store.openingReport == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let report = try await store.open()
    #expect(report.isClean && report.revision == .zero)
  }

  @Test("a store file fails early if it can't be opened")
  func failsEarly() async throws {
    try Data("x".utf8).write(to: folder.url.appending(path: "file"))
    let store = FileStore<Note>(folder.url.appending(path: "file/a.store"))
    let error = await #expect(throws: FieldError.self) { try await store.open() }
    #expect(error?.code == .io)
    let web = try FileStore<Note>(#require(URL(string: "https://example.org/a.store")))
    let other = await #expect(throws: FieldError.self) { try await web.open() }
    #expect(other?.code == .invalidInput)
  }

  @Test("a store file is accessible only to its owner")
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

  @Test("a store file opened read-only takes no lock, writes nothing, and sees other commits")
  func readOnly() async throws {
    let reader = other(access: .readOnly)
    #expect(try await reader.all == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let writer = other()
    try await writer.put(Note(1))
    #expect(try await reader.all == [Note(1)])
    let holder = unsafe open(file.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    #expect(try await other(access: .readOnly).all == [Note(1)])
    let error = await #expect(throws: FieldError.self) { try await reader.put(Note(2)) }
    #expect(error?.code == .readOnly)
  }

  @Test("a store file opened read-only reports a torn end and leaves it")
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

  @Test("a store file removes the leftovers of an interrupted compaction")
  func leftovers() async throws {
    try await other().put(Note(1))
    try Data("half".utf8).write(to: URL(filePath: file.path + ".new"))
    let store = other()
    let report = try await store.open()
    #expect(report.removedLeftovers.map(\.lastPathComponent) == ["notes.store.new"])
    #expect(!FileManager.default.fileExists(atPath: file.path + ".new"))
    #expect(try await store.all == [Note(1)])
  }

  @Test("a store file is synced by an empty commit if it hasn't been synced before")
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

  @Test("a store file with deferred durability contains a whole prefix after a power failure")
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
