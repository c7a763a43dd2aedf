public import FieldCore

/// A store of a diary's pets, walks, places, and settings in one record store.
///
/// Related records are changed in one commit. The class conforms to every repository protocol of a
/// ``WalkBackend``; use ``WalkBackend/storage(_:)`` to create one. Commits of other processes are
/// visible to the next call.
public final class StoredWalks: Sendable, WalkStoreLifetime {
  /// The name of the stores in a `Storage`.
  public static let storeName = "walks"

  let store: any RecordStore<Record>
  private let newest = Lock<WalkView?>(nil)

  /// Creates repositories that keep their records in a store.
  public init(store: any RecordStore<Record>) { self.store = store }

  /// Creates repositories that keep their records in a storage, in the store ``storeName``.
  public convenience init(storage: Storage) { self.init(store: storage.store(Self.storeName)) }

  func snapshot() async throws -> Snapshot<Record> { try await store.snapshot() }

  /// Returns the current content with the order of its walks, which follows the changes.
  func view() async throws -> WalkView {
    let snapshot = try await snapshot()
    let last = newest.withLock { $0 }
    if let last, last.snapshot.revision == snapshot.revision { return last }
    let view = WalkView(snapshot, after: last)
    newest.withLock { newest in
      // Another call may have stored a newer view in the meantime.
      if let newest, newest.snapshot.revision > snapshot.revision { return }
      newest = view
    }
    return view
  }

  func changing<Result>(
    _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Result
  ) async throws -> Result {
    try await store.updating { snapshot, changes, _ in try body(snapshot, &changes) }
  }

  /// Removes one record, or returns `false` if it doesn't exist.
  func removeRecord(_ id: String) async throws -> Bool {
    try await changing { snapshot, changes in
      guard snapshot[id: id] != nil else { return false }
      changes.remove(id)
      return true
    }
  }

  /// Opens the store and reports what was found.
  @discardableResult
  public func open() async throws -> OpeningReport { try await store.open() }

  /// Closes the store.
  public func close() async throws { try await store.close() }

  /// Deletes everything in one commit, and removes the parts that were set aside.
  public func eraseAll() async throws { try await store.eraseAll() }

  /// Syncs the store to the device.
  public func makeDurable() async throws { _ = try await store.durableSnapshot() }

  /// Returns the blobs that records refer to, after syncing the records to the device.
  @concurrent
  public func blobsInUse() async throws -> Set<BlobID> {
    var ids: Set<BlobID> = []
    for record in try await store.durableSnapshot() { record.forEachBlob { ids.insert($0) } }
    return ids
  }

  /// Returns the changes as they happen.
  public func updates() -> WalkDiaryUpdates {
    SnapshotUpdates(following: { [store] in store.updates() })
      .scan(nil) { (last: inout Snapshot<Record>?, snapshot) in
        guard let change = WalkDiaryChange(from: last, to: snapshot) else { return nil }
        last = snapshot
        return change
      }
  }
}
