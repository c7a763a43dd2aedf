/// Keeps stores in memory, each under its name.
final class MemoryStorageProvider: StorageProvider {
  private let stores = Lock<[String: any Sendable]>([:])

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    try stores.withLock { stores in
      guard let known = stores[name] else {
        let store = SharedMemoryStore<Record>()
        stores[name] = store
        return store
      }
      guard let store = known as? SharedMemoryStore<Record> else {
        throw FieldError(.invalidInput, "the store \"\(name)\" holds another type of record")
      }
      return store
    }
  }
}

/// A store in memory that outlives its users: closing it ends one use, as with a file.
private final class SharedMemoryStore<Record: StoredRecord>: RecordStore {
  private let store = InMemoryStore<Record>()

  func snapshot() async throws -> Snapshot<Record> { try await store.snapshot() }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store.commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  func updates() -> SnapshotUpdates<Record> { store.updates() }
}
