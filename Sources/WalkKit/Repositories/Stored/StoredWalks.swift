package import FieldCore

/// The pets, walks, places, and settings of a diary in its store, and the rules that each commit keeps.
///
/// Related records are changed in one commit, and checked against the content that it changes. Commits of
/// other processes are visible to the next call.
package final class StoredWalks: Sendable {
  /// The name of the stores in a `Storage`.
  package static let storeName = "walks"

  package let store: any WalkRepository
  /// The store for the bytes of photos and routes.
  package let blobs: any BlobStore
  private let newest = Lock<WalkView?>(nil)

  package init(store: any WalkRepository, blobs: any BlobStore = InMemoryBlobStore()) {
    self.store = store
    self.blobs = blobs
  }

  /// Creates the content of a storage, in its stores of the name ``storeName``.
  package convenience init(storage: Storage) {
    self.init(store: storage.store(Self.storeName), blobs: storage.blobStore(Self.storeName))
  }

  func snapshot() async throws -> Snapshot<WalkRecord> { try await store.snapshot() }

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
    _ body: (Snapshot<WalkRecord>, inout Changes<WalkRecord>) throws -> Result
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

  /// Syncs the store to the device.
  package func makeDurable() async throws { _ = try await store.durableSnapshot() }

  /// Returns the blobs that records refer to, after syncing the records to the device.
  @concurrent
  package func blobsInUse() async throws -> Set<BlobID> {
    var ids: Set<BlobID> = []
    for record in try await store.durableSnapshot() { record.forEachBlob { ids.insert($0) } }
    return ids
  }

  /// Returns the changes as they happen.
  package func updates() -> WalkDiaryUpdates {
    SnapshotUpdates(following: { [store] in store.updates() })
      .scan(nil) { (last: inout Snapshot<WalkRecord>?, snapshot) in
        guard let change = WalkDiaryChange(from: last, to: snapshot) else { return nil }
        last = snapshot
        return change
      }
  }

  // MARK: Blobs

  /// Runs a closure that removes or replaces records, and then removes those of their blobs that
  /// nothing refers to anymore.
  ///
  /// The blobs are swept instead of being removed individually. A sweep spares blobs that are on
  /// lease and, in files, recent ones that another process may be about to refer to. Those are
  /// removed at a later opening, and so is anything that can't be removed now. Only the records
  /// matter.
  package func releasing<Result: Sendable>(
    _ ids: Set<BlobID>, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !ids.isEmpty else { return try await body() }
    // Releases the blobs first, so that they are removed even if this process is killed in between.
    // If that fails, they stay, or the sweep below releases them.
    try? await blobs.release(ids)
    let result: Result
    do {
      result = try await body()
    } catch {
      await claim(ids)
      throw error
    }
    try? await sweepBlobs(releasing: ids)
    return result
  }

  /// Claims blobs whose records are durable. If that fails, the next sweep does it.
  package func claim(_ ids: Set<BlobID>) async { try? await blobs.claim(ids) }

  /// Removes the blobs that no record refers to any longer.
  package func sweepBlobs(releasing ids: Set<BlobID> = []) async throws {
    try await blobs.sweepUnclaimed(releasing: ids) {
      // Opened first, because a failed commit may have reappeared.
      _ = try await store.open()
      let blobs = try await blobsInUse()
      // Call this last, because a part is set aside before it is cut off.
      return try await store.open().hasUnreadParts ? nil : blobs
    }
  }
}
