import FieldKit
import FieldTesting
import Foundation
import Synchronization
import Testing

// The custom store of the article "Storing records", at work.

// snippet.store
/// Keeps a snapshot, and writes what has changed to a table of yours before anybody sees it.
actor TableStore<Record: StoredRecord>: RecordStore {
  private var content = Snapshot<Record>([])  // what the table has when the process starts
  private var observers: [UUID: AsyncStream<Snapshot<Record>>.Continuation] = [:]

  func snapshot() -> Snapshot<Record> { content }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) throws -> Revision {
    if let expecting, expecting != content.revision {
      throw FieldError(.conflict, "The store is at \(content.revision), not \(expecting).")
    }
    let next = content.applying(changes, checkpoint: checkpoint)
    guard next.revision != content.revision else { return content.revision }
    // Write next.changedIDs(since: content.revision) and the checkpoint here, in one transaction.
    content = next
    for observer in observers.values { observer.yield(next) }
    return next.revision
  }

  nonisolated func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates { await self.observe() }
  }

  private func observe() -> AsyncStream<Snapshot<Record>> {
    let (stream, observer) = AsyncStream.makeStream(
      of: Snapshot<Record>.self, bufferingPolicy: .bufferingNewest(1))
    observer.yield(content)
    let id = UUID()
    observers[id] = observer
    observer.onTermination = { _ in Task { await self.forget(id) } }
    return stream
  }

  private func forget(_ id: UUID) { observers[id] = nil }
}
// snippet.end

// snippet.provider
/// Gives the kits stores of that kind; photos, pictures and journals stay files.
final class TableStorage: StorageProvider {
  private let files: Storage
  private let stores = Mutex<[String: any Sendable]>([:])

  init(files: Storage) { self.files = files }

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    stores.withLock { stores in
      if let store = stores[name] as? TableStore<Record> { return store }
      let store = TableStore<Record>()
      stores[name] = store
      return store
    }
  }

  func blobs(_ name: String) throws -> any BlobStore { try files.blobs(name) }
  func assets(_ name: String) throws -> AssetDirectory? { try files.assets(name) }
  func journals(_ name: String) throws -> JournalDirectory { try files.journals(name) }
}
// snippet.end

@Suite("The guide to custom stores", .timeLimit(.minutes(60)))
struct StoresElsewhere {
  // snippet.conformance
  @Test("the guide's store satisfies the contract of record stores")
  func conformance() async throws {
    try await RecordStoreConformance.run { TableStore() }
  }
  // snippet.end

  @Test("a kit keeps its data in the stores of a provider")
  func provider() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let rows = #"[{"name":"Aachen","id":"1","recclass":"L5","mass":"21","fall":"Fell"}]"#
    let transport = StubTransport { $0.on("meteorites.snapshot", respond: .json(text: rows)) }
    // snippet.use
    let storage = Storage(TableStorage(files: .directory(folder)))
    let field = Field(storage: storage, transport: transport)
    // snippet.end
    try await field.meteorites.refresh()
    let other = MeteoriteCatalog(storage: storage, transport: transport)
    #expect(try await other.view()[1]?.name == "Aachen")
    try await field.close()
  }

  @Test("A diary keeps its pets in a custom store, and another diary of it finds them")
  func diary() async throws {
    let (records, blobs) = (TableStore<WalkRecord>(), InMemoryBlobStore())
    let diaries = (0..<2).map { _ in
      WalkDiary(
        repository: records, blobs: blobs, storage: .inMemory, transport: StubTransport { _ in },
        rules: PetRules(required: []))
    }
    let mesh = try await diaries[0].register(
      PetRegistration(name: "mesh", photo: Data([0xFF, 0xD8])))
    #expect(try await diaries[1].pets() == [mesh])
    #expect(try await diaries[1].portrait(of: mesh.id) == Data([0xFF, 0xD8]))
    #expect(try await diaries[1].nextRefreshDate == nil)
  }
}
