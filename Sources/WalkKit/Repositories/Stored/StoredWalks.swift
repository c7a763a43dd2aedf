public import FieldCore

/// A diary's pets, walks, places and choices in one record store: what belongs together is changed in
/// one commit, and is there again after a restart.
///
/// It is every repository of a ``WalkBackend`` at once; ``WalkBackend/storage(_:)`` is the way to one.
/// Commits of other processes are seen by the next call.
public final class StoredWalks: Sendable {
  /// The name of the stores in a `Storage`.
  public static let storeName = "walks"

  let store: any RecordStore<Record>
  private let newest = Lock<WalkView?>(nil)

  /// Keeps the records in `store`.
  public init(store: any RecordStore<Record>) { self.store = store }

  /// Keeps the records in the store ``storeName`` of `storage`.
  public convenience init(storage: Storage) { self.init(store: storage.store(Self.storeName)) }

  func snapshot() async throws -> Snapshot<Record> { try await store.snapshot() }

  /// The content as it is now, with an index that is built anew only after many changes.
  func view() async throws -> WalkView {
    let snapshot = try await snapshot()
    let last = newest.withLock { $0 }
    if let last, last.snapshot.revision == snapshot.revision { return last }
    let view = WalkView(snapshot, reusing: last)
    newest.withLock { newest in
      // Another call may have come further meanwhile.
      if let newest, newest.snapshot.revision > snapshot.revision { return }
      newest = view
    }
    return view
  }

  /// Changes the store by what `body` makes of its content, and returns what `body` returns.
  func changing<Result>(
    _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Result
  ) async throws -> Result {
    try await store.updating { snapshot, changes, _ in try body(snapshot, &changes) }
  }

  /// Removes one record; false when it is not there.
  func removeRecord(_ id: String) async throws -> Bool {
    try await changing { snapshot, changes in
      guard snapshot[id: id] != nil else { return false }
      changes.remove(id)
      return true
    }
  }
}

extension StoredWalks: WalkStoreLifetime {
  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport { try await store.open() }

  /// Closes the store.
  public func close() async throws { try await store.close() }

  /// Deletes everything in one commit, and removes what was set aside.
  public func eraseAll() async throws { try await store.eraseAll() }

  /// The blobs that records refer to.
  @concurrent
  public func blobsInUse() async throws -> Set<BlobID> {
    var ids: Set<BlobID> = []
    for record in try await snapshot() { record.forEachBlob { ids.insert($0) } }
    return ids
  }

  /// What has changed, each time that something has.
  public func updates() -> WalkDiaryUpdates {
    SnapshotUpdates(following: { [store] in store.updates() }).changes()
  }
}
