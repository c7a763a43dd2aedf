public import FieldCore

/// The user's sightings in a record store.
public final class StoredSightings: SightingRepository {
  /// The name of the store of records, and of that of photos, in a `Storage`.
  public static let storeName = "sightings"

  private let makeStore: @Sendable () throws -> any RecordStore<Sighting>
  private let opened = Lock<(any RecordStore<Sighting>)?>(nil)

  /// Keeps the sightings in `store`.
  public init(store: any RecordStore<Sighting>) {
    makeStore = { store }
  }

  /// Keeps the sightings in the store ``storeName`` of `storage`.
  public init(storage: Storage) {
    makeStore = { try storage.records(Self.storeName, of: Sighting.self) }
  }

  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await store().open()
  }

  /// The sightings as they are now.
  public func snapshot() async throws -> Snapshot<Sighting> {
    try await store().snapshot()
  }

  /// Applies changes and checkpoint in one step.
  @discardableResult
  public func commit(
    _ changes: Changes<Sighting>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await store().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  /// The sightings as they are now, and then the newest after each change.
  public func updates() throws -> SnapshotUpdates<Sighting> {
    try store().updates()
  }

  /// Removes what openings of the store have set aside.
  public func removeSetAside() async throws {
    try await store().removeSetAside()
  }

  /// Closes the store.
  public func close() async throws {
    try await store().close()
  }

  private func store() throws -> any RecordStore<Sighting> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try makeStore()
      opened = store
      return store
    }
  }
}
