public import FieldCore

/// The meteorites in a record store.
public final class StoredMeteorites: MeteoriteRepository {
  /// The name of the store in a ``/FieldCore/Storage``.
  public static let storeName = "meteorites"

  private let makeStore: @Sendable () throws -> any RecordStore<Meteorite>
  private let opened = Lock<(any RecordStore<Meteorite>)?>(nil)

  /// Keeps the meteorites in `store`.
  public init(store: any RecordStore<Meteorite>) {
    makeStore = { store }
  }

  /// Keeps the meteorites in the store ``storeName`` of `storage`.
  public init(storage: Storage) {
    makeStore = { try storage.records(Self.storeName, of: Meteorite.self) }
  }

  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await store().open()
  }

  /// The content as it is now.
  public func snapshot() async throws -> Snapshot<Meteorite> {
    try await store().snapshot()
  }

  /// Applies changes and checkpoint in one step.
  @discardableResult
  public func commit(
    _ changes: Changes<Meteorite>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  /// The content as it is now, and then the newest after each change.
  public func updates() throws -> SnapshotUpdates<Meteorite> {
    try store().updates()
  }

  /// Closes the store.
  public func close() async throws {
    try await store().close()
  }

  private func store() throws -> any RecordStore<Meteorite> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try makeStore()
      opened = store
      return store
    }
  }
}
