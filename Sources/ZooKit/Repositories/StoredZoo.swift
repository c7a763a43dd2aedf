public import FieldCore

/// The zoo's data in a record store.
public final class StoredZoo: ZooRepository {
  /// The name of the store in a `Storage`.
  public static let storeName = "zoo"

  private let makeStore: @Sendable () throws -> any RecordStore<ZooRecord>
  private let opened = Lock<(any RecordStore<ZooRecord>)?>(nil)

  /// Keeps the data in `store`.
  public init(store: any RecordStore<ZooRecord>) {
    makeStore = { store }
  }

  /// Keeps the data in the store ``storeName`` of `storage`.
  public init(storage: Storage) {
    makeStore = { try storage.records(Self.storeName, of: ZooRecord.self) }
  }

  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await store().open()
  }

  /// The content as it is now.
  public func snapshot() async throws -> Snapshot<ZooRecord> {
    try await store().snapshot()
  }

  /// Applies changes and checkpoint in one step.
  @discardableResult
  public func commit(
    _ changes: Changes<ZooRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  /// The content as it is now, and then the newest after each change.
  public func updates() throws -> SnapshotUpdates<ZooRecord> {
    try store().updates()
  }

  /// Closes the store.
  public func close() async throws {
    try await store().close()
  }

  private func store() throws -> any RecordStore<ZooRecord> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try makeStore()
      opened = store
      return store
    }
  }
}
