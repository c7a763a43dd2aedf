/// A storage in memory, with one store for each name.
struct InMemoryStorage: StorageProvider {
  private struct State: Sendable {
    var records: [String: any RecordStore] = [:]
    var blobs: [String: InMemoryBlobStore] = [:]
    var journals: [String: JournalDirectory] = [:]
    var lastOwner: UInt64 = 0
  }

  private let state = Lock(State())

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    let name = try StorageName(name)
    return try state.withLock { state in
      guard let present = state.records[name.rawValue] else {
        let store = InMemoryStore<Record>()
        state.records[name.rawValue] = store
        return store
      }
      guard let store = present as? InMemoryStore<Record> else {
        throw FieldError(
          .invalidInput,
          """
          The store \(name) contains records of the type \(present.recordType), not \(Record.self). \
          If another kit uses this name, give each kit and catalog its own name.
          """)
      }
      // As with a file, closing one of the returned stores doesn't affect the others.
      state.lastOwner += 1
      return InMemoryStore(sharing: store, as: state.lastOwner)
    }
  }

  func blobs(_ name: String) throws -> any BlobStore {
    let name = try StorageName(name)
    return state.withLock { state in
      let store = state.blobs[name.rawValue] ?? InMemoryBlobStore()
      state.blobs[name.rawValue] = store
      return store
    }
  }

  func journals(_ name: String) throws -> JournalDirectory {
    let name = try StorageName(name)
    return state.withLock { state in
      let journals = state.journals[name.rawValue] ?? .inMemory()
      state.journals[name.rawValue] = journals
      return journals
    }
  }
}

extension RecordStore {
  /// The type of the records, for messages.
  fileprivate var recordType: Any.Type { Record.self }
}
