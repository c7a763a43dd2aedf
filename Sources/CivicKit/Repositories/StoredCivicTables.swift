public import FieldCore

/// The tables of a directory in a record store.
public final class StoredCivicTables: CivicRepository {
  /// The name of the store in a `Storage`.
  public static let storeName = "civic"

  private let makeStore: @Sendable () throws -> any RecordStore<CivicRecord>
  private let opened = Lock<(any RecordStore<CivicRecord>)?>(nil)

  /// Keeps the tables in `store`.
  public init(store: any RecordStore<CivicRecord>) {
    makeStore = { store }
  }

  /// Keeps the tables in the store ``storeName`` of `storage`, or in another one of it: an app may have
  /// the directories of two cities.
  public init(storage: Storage, name: String = storeName) {
    makeStore = { try storage.records(name, of: CivicRecord.self) }
  }

  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await store().open()
  }

  /// The content as it is now.
  public func snapshot() async throws -> Snapshot<CivicRecord> {
    try await store().snapshot()
  }

  /// Applies changes and checkpoint in one step.
  @discardableResult
  public func commit(
    _ changes: Changes<CivicRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  /// The content as it is now, and then the newest after each change.
  public func updates() throws -> SnapshotUpdates<CivicRecord> {
    try store().updates()
  }

  /// Closes the store.
  public func close() async throws {
    try await store().close()
  }

  private func store() throws -> any RecordStore<CivicRecord> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try makeStore()
      opened = store
      return store
    }
  }
}
