import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("An observed store", .timeLimit(.minutes(60)))
struct StoreEventTests {
  private static let path = "/data/notes.store"

  private let files = MemoryFileSystem()
  private let log = EventLog()

  private func store(_ durability: Durability = .full) -> FileStore<Note> {
    FileStore(
      unsharedPath: Self.path, durability: durability, fileSystem: files,
      patience: .milliseconds(20), observer: log.observer)
  }

  @Test(
    "an observed store reports its opening and its commits, and nothing for reading or no change")
  func commits() async throws {
    let store = store()
    try await store.open()
    let size = try #require(files[Self.path]).count
    try await store.put(Note(1), Note(2))
    let grown = try #require(files[Self.path]).count - size
    try await store.update { _, changes in changes.remove(1) }
    let lines = log.lines
    #expect(
      lines == [
        "store.open began", "store.open ended", "store.commit began", "store.commit ended",
        "store.commit began", "store.commit ended",
      ])
    let commit = log.events[3]
    #expect(commit.subject == "notes")
    #expect(commit.measures == [.revision: 1, .records: 2, .bytes: grown])
    #expect(commit.level == .debug)
    for _ in 0..<3 { _ = try await store.snapshot()[id: 2] }
    try await store.put(Note(2))
    try await store.update { _, _ in }
    try await store.open()
    #expect(log.lines == lines)
    #expect(log.isBalanced)
  }

  @Test("an observed store reports a failed sync, and the commit that failed with it")
  func failedSync() async throws {
    let store = store()
    try await store.put(Note(1))
    log.removeAll()
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(
      log.lines == ["store.commit began", "store.syncFailure occurred", "store.commit failed"])
    #expect(log.events.map(\.code) == [nil, .io, .io])
    #expect(log.events.map(\.level) == [.debug, .error, .error])
    #expect(log.isBalanced)
  }

  @Test("an observed store reports what fails while it closes")
  func closing() async throws {
    let store = store(.deferred)
    try await store.put(Note(1))
    log.removeAll()
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await store.close() }
    #expect(log.lines == ["store.syncFailure occurred"])
  }

  @Test(
    "an observed store reports a conflict, and a commit that was rejected before it was written")
  func rejections() async throws {
    let store = store()
    try await store.put(Note(1))
    log.removeAll()
    await #expect(throws: FieldError.self) {
      try await store.commit(Changes(upserting: [Note(2)]), checkpoint: nil, expecting: .zero)
    }
    files[Self.path] = nil
    await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    #expect(log.events.map(\.code) == [nil, .conflict, nil, .needsReopening])
    #expect(log.events.map(\.level) == [.debug, .info, .debug, .error])
    #expect(log.isBalanced)
  }

  @Test(
    "an observed store reports nothing if the closure of an update throws or the task is canceled")
  func abandoned() async throws {
    let store = store()
    try await store.put(Note(1))
    log.removeAll()
    await #expect(throws: FieldError.self) {
      try await store.update { _, _ in throw FieldError(.invalidInput, "no") }
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await store.put(Note(2))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.lines.isEmpty)
  }

  @Test("an observed store reports an opening that fails")
  func failedOpening() async throws {
    files[Self.path] = [UInt8](repeating: 1, count: 100)
    let store = store()
    let error = await #expect(throws: FieldError.self) { try await store.open() }
    #expect(log.lines == ["store.open began", "store.open failed"])
    #expect(log.events.last?.code == error?.code)
    log.removeAll()
    try await store.eraseAll()
    #expect(log.lines(of: "store.setAside") == ["store.setAside occurred"])
    #expect(log.isBalanced)
  }

  @Test("an observed store reports damage that it sets aside")
  func damage() async throws {
    try await store().put(Note(1), Note(2))
    let bytes = try #require(files[Self.path])
    files[Self.path] = bytes + [1, 2, 3]
    log.removeAll()
    try await store().open()
    #expect(log.lines == ["store.open began", "store.setAside occurred", "store.open ended"])
    #expect(log.events[1].measures == [.bytes: 3])
    #expect(log.events[1].level == .warning)
    let opening = log.events[2].measures
    #expect(opening == [.revision: 1, .records: 2, .bytes: bytes.count, .cuts: 1])
  }

  @Test("an observed store reports the waits for the lock of another process")
  func lockWaits() async throws {
    let store = store()
    try await store.put(Note(1))
    log.removeAll()
    let other = FileLock(
      StoreFilePaths(Self.path).lock, fileSystem: files, clock: .system, patience: .seconds(600))
    _ = try await other.hold {
      await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
    }
    #expect(
      log.lines == [
        "store.lockWait began", "store.lockWait failed", "store.commit began",
        "store.commit failed",
      ])
    #expect(log.events.compactMap(\.code) == [.busy, .busy])
    let waited = try #require(log.events[1].duration)
    #expect(waited >= .milliseconds(20))
  }

  @Test("an observed store reports compactions, failed ones too")
  func compactions() async throws {
    let store = store(.deferred)
    let text = String(repeating: "x", count: 30_000)
    for round in 0..<6 { try await store.put(Note(1, text + "\(round)")) }
    let event = try #require(
      log.events.first { $0.name == .storeCompaction && $0.step == .ended })
    let (before, after) = (event.measures[.previousBytes] ?? 0, event.measures[.bytes] ?? 0)
    #expect(before > 65_536)
    #expect((30_000..<before).contains(after))
    #expect(event.measures[.records] == 1)
    log.removeAll()
    files.failAlways("rename")
    for round in 0..<6 { try await store.put(Note(1, text + "\(round)")) }
    files.failAlways(nil)
    #expect(log.lines(of: "store.compaction").contains("store.compaction failed"))
    #expect(!log.lines.contains("store.commit failed"))
    #expect(log.isBalanced)
  }

  @Test("an observed store tells an observer of two storages once, and each of two observers")
  func sharing() async throws {
    let folder = try TemporaryFolder()
    let (first, second, other) = (log.observer, log.observer, EventLog())
    let storage = Storage.directory(folder.url)
    let stores: [any RecordStore<Note>] = [
      storage.observed(by: first).store("notes"),
      storage.observed(by: first).store("notes"),
      storage.observed(by: other.observer).observed(by: second).store("notes"),
    ]
    for store in stores { try await store.open() }
    log.removeAll()
    other.removeAll()
    try await stores[0].put(Note(1))
    #expect(other.lines == ["store.commit began", "store.commit ended"])
    // Once as `first`, and once as `second`.
    #expect(log.lines.count == 4)
    try await stores[2].close()
    try await stores[0].put(Note(2))
    #expect(other.lines.count == 2)
    #expect(log.lines.count == 6)
  }

  @Test("an observed store may be one in memory or a custom one")
  func otherStores() async throws {
    let store: any RecordStore<Note> = Storage.inMemory.observed(by: log.observer).store("notes")
    try await store.open()
    try await store.put(Note(1))
    try await store.update { _, changes in changes.upsert(Note(2)) }
    try await store.update { _, _ in }
    await #expect(throws: FieldError.self) {
      try await store.update { _, _ in throw FieldError(.invalidInput, "no") }
    }
    await #expect(throws: FieldError.self) {
      try await store.commit(Changes(upserting: [Note(3)]), checkpoint: nil, expecting: .zero)
    }
    #expect(
      log.lines == [
        "store.open began", "store.open ended", "store.commit began", "store.commit ended",
        "store.commit began", "store.commit ended", "store.commit began", "store.commit failed",
      ])
    #expect(log.events[5].measures == [.revision: 2, .records: 1])
    #expect(log.events.allSatisfy { $0.subject == "notes" })
    #expect(log.isBalanced)
  }

  @Test("an observed store never reports what records contain, or where they are")
  func secrets() async throws {
    let folder = try TemporaryFolder()
    let store: any RecordStore<Note> = Storage.directory(folder.url.appending(path: "hush"))
      .observed(by: log.observer).store("notes")
    try await store.put(Note(1, "hush"))
    try await store.eraseAll()
    try await store.close()
    #expect(log.events.count > 4)
    #expect(!log.events.contains { "\($0) \($0.metadata)".contains("hush") })
  }
}

@Suite("An event")
struct FieldEventTests {
  private let event = FieldEvent(
    .refreshPart, of: "zoo", part: "animals", operation: 7, parent: 6, step: .ended,
    outcome: "updated", duration: .milliseconds(1_250), measures: [.rows: 12, .added: 3])

  @Test("an event is one line of text")
  func description() {
    #expect(
      "\(event)" == "refresh.part zoo/animals #7 ended, updated, 1250.0 ms, added 3, rows 12")
  }

  @Test("an event has a label for metrics, and metadata for logs")
  func metadata() {
    #expect(event.label == "updated")
    #expect(FieldEvent(.storeOpen, of: "zoo", operation: 1, step: .began).label == "began")
    let failure = FieldEvent(.storeOpen, of: "zoo", operation: 1, step: .failed, code: .io)
    #expect(failure.label == "store.io")
    #expect(failure.level == .error)
    #expect(
      event.metadata == [
        "subject": "zoo", "part": "animals", "operation": "7", "parent": "6", "step": "ended",
        "outcome": "updated", "duration": "1.25", "rows": "12", "added": "3",
      ])
  }
}
