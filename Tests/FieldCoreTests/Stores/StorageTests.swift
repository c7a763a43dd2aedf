import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A storage", .timeLimit(.minutes(60)))
struct StorageTests {
  @Test("a storage in memory has one store for each name, and shares nothing with another storage")
  func inMemory() async throws {
    let storage = Storage.inMemory
    let first = try storage.records("notes", of: Note.self)
    try await first.put(Note(1))
    #expect(try await storage.records("notes", of: Note.self).snapshot().count == 1)
    #expect(try await storage.records("other", of: Note.self).snapshot().count == 0)
    #expect(try await Storage.inMemory.records("notes", of: Note.self).snapshot().count == 0)
    let error = #expect(throws: FieldError.self) { try storage.records("notes", of: Stone.self) }
    #expect(error?.code == .invalidInput)
    let lease = try await storage.blobs("photos").put([1])
    #expect(try await storage.blobs("photos").contains(lease.id))
  }

  @Test("a storage of a directory has stores that see each other's commits and updates")
  func directory() async throws {
    let folder = try TemporaryFolder()
    let first = try Storage.directory(folder.url).records("notes", of: Note.self)
    let second = try Storage.directory(folder.url).records("notes", of: Note.self)
    var updates = second.updates().makeAsyncIterator()
    #expect(try await updates.next()?.count == 0)
    try await first.put(Note(1))
    #expect(try await updates.next()?.count == 1)
    let lease = try await Storage.directory(folder.url).blobs("photos").put([1])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "notes.store", "notes.store.lock", "photos.blobs",
      ])
    let reader = Storage.directory(folder.url, access: .readOnly)
    #expect(try await reader.records("notes", of: Note.self).snapshot().count == 1)
    #expect(try await reader.blobs("photos").bytes(of: lease.id) == [1])
  }

  @Test(
    "a storage rejects names that could be paths",
    arguments: ["", ".", "..", "a/b", "../a", ".a", "石", "a b", String(repeating: "a", count: 65)])
  func names(name: String) throws {
    let folder = try TemporaryFolder()
    for storage in [Storage.inMemory, .directory(folder.url), .application("x")] {
      let error = #expect(throws: FieldError.self) { try storage.records(name, of: Note.self) }
      #expect(error?.code == .invalidInput)
      #expect(throws: FieldError.self) { try storage.blobs(name) }
    }
    #expect(throws: FieldError.self) {
      try Storage.application(name).records("a", of: Note.self)
    }
  }

  @Test("a storage of an application is in the platform's place", .enabled(if: isXDG))
  func application() throws {
    #expect(
      try ApplicationDirectory.url(environment: ["XDG_DATA_HOME": "/x", "HOME": "/h"]).path == "/x")
    #expect(
      try ApplicationDirectory.url(environment: ["XDG_DATA_HOME": "x", "HOME": "/h"]).path
        == "/h/.local/share")
    #expect(throws: FieldError.self) { try ApplicationDirectory.url(environment: [:]) }
    #expect(
      try ApplicationDirectory.caches(environment: ["XDG_CACHE_HOME": "/x", "HOME": "/h"]).path
        == "/x")
    #expect(try ApplicationDirectory.caches(environment: ["HOME": "/h"]).path == "/h/.cache")
    #expect(throws: FieldError.self) { try ApplicationDirectory.caches(environment: [:]) }
  }

  @Test("a storage has a place for assets next to its stores, and none in memory")
  func assets() throws {
    let folder = URL(filePath: "/folder")
    let place = try Storage.directory(folder, access: .readOnly).assets("pictures")
    #expect(place?.url.path == "/folder/pictures.assets")
    #expect(place?.access == .readOnly)
    #expect(place?.protection == nil)
    #expect(place?.allowsNetworkVolumes == false)
    let guarded = Storage.directory(folder, protection: .complete, allowsNetworkVolumes: true)
    #expect(try guarded.assets("pictures")?.protection == .complete)
    #expect(try guarded.assets("pictures")?.allowsNetworkVolumes == true)
    #expect(try Storage.inMemory.assets("pictures") == nil)
    #expect(throws: FieldError.self) { try Storage.directory(folder).assets("../a") }
  }

  private static var isXDG: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }
}

@Suite("Observing a store", .timeLimit(.minutes(60)))
struct SnapshotUpdatesTests {
  @Test("observing a store leaves nothing behind, however it ends")
  func noLeaks() async throws {
    let hub = SnapshotHub<Note>(Snapshot([]))
    do {
      var iterator = SnapshotUpdates { hub.observe(owner: 1) }.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(hub.observerCount == 1)
    }
    #expect(hub.observerCount == 0, "an iterator that was dropped")
    let tasks = (0..<10).map { _ in
      Task { for try await _ in SnapshotUpdates({ hub.observe(owner: 1) }) {} }
    }
    try await eventually { hub.observerCount >= 10 }
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
    #expect(hub.observerCount == 0, "tasks that were cancelled")
    let finished = Task { for try await _ in SnapshotUpdates({ hub.observe(owner: 2) }) {} }
    try await eventually { hub.observerCount >= 1 }
    hub.finish(owner: 2)
    try await finished.value
    #expect(hub.observerCount == 0, "a store that was closed")
  }

  @Test("observing a store retains only the newest content")
  func newestOnly() async throws {
    let store = InMemoryStore<Note>()
    var updates = store.updates().makeAsyncIterator()
    _ = try await updates.next()
    for id in 0..<1000 { try await store.put(Note(id)) }
    #expect(try await updates.next()?.count == 1000)
  }

  @Test(
    "observing throws if the store can't be opened, and retains a store without other references")
  func opening() async throws {
    let fileSystem = MemoryFileSystem()
    fileSystem["/a.store"] = Array("this is no store at all".utf8)
    var updates = FileStore<Note>(unsharedPath: "/a.store", fileSystem: fileSystem).updates()
      .makeAsyncIterator()
    await #expect(throws: FieldError.self) { try await updates.next() }
    fileSystem["/a.store"] = nil
    updates = FileStore<Note>(unsharedPath: "/a.store", fileSystem: fileSystem).updates()
      .makeAsyncIterator()
    #expect(try await updates.next()?.count == 0)
  }

  @Test("observing a store ends when a store in memory is closed, and can't begin after that")
  func closed() async throws {
    let store = InMemoryStore([Note(1)])
    var updates = store.updates().makeAsyncIterator()
    _ = try await updates.next()
    await store.close()
    #expect(try await updates.next() == nil)
    var late = store.updates().makeAsyncIterator()
    await #expect(throws: FieldError.self) { try await late.next() }
    await #expect(throws: FieldError.self) { try await store.snapshot() }
    await #expect(throws: FieldError.self) { try await store.put(Note(2)) }
  }
}
