/// A record store that leaves what it doesn't do itself to another one, except for its observer.
package protocol ForwardingRecordStore: RecordStore {
  func target() throws -> any RecordStore<Record>
}

extension ForwardingRecordStore {
  package func open() async throws -> OpeningReport { try await target().open() }

  package func snapshot() async throws -> Snapshot<Record> { try await target().snapshot() }

  package func durableSnapshot() async throws -> Snapshot<Record> {
    try await target().durableSnapshot()
  }

  package func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await target().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  package func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await target().update(body)
  }

  package func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates(following: { try self.target().updates() })
  }

  package func eraseAll() async throws { try await target().eraseAll() }

  package func removeSetAside() async throws { try await target().removeSetAside() }

  package func close() async throws { try await target().close() }
}

/// A store of a storage, by name.
///
/// It opens on first use.
///
/// Creating one never fails: an error of the name or the storage is thrown by the first call.
package final class NamedStore<Record: StoredRecord>: ForwardingRecordStore {
  private let name: String
  private let storage: any StorageProvider
  private let opened = Lock<(any RecordStore<Record>)?>(nil)

  package init(_ name: String, in storage: any StorageProvider) {
    self.name = name
    self.storage = storage
  }

  package func target() throws -> any RecordStore<Record> {
    try opened.withLock { opened in
      let store = try opened ?? storage.records(name, of: Record.self)
      opened = store
      return store
    }
  }

  package var observer: FieldObserver? { storage.observer }
}

extension Storage {
  /// Returns the store of records with a name, which opens on first use.
  ///
  /// ```swift
  /// let visits: any RecordStore<Visit> = storage.store("visits")
  /// try await visits.open()
  /// ```
  public func store<Record: StoredRecord>(
    _ name: String, of type: Record.Type = Record.self
  ) -> any RecordStore<Record> {
    NamedStore<Record>(name, in: self)
  }
}
