public import FieldCore

/// A diary's pets, walks, places and choices in one record store: what belongs together is changed in
/// one commit, and is there again after a restart.
///
/// It is every repository of a ``WalkBackend`` at once; ``WalkBackend/storage(_:)`` is the way to one.
/// Commits of other processes are seen by the next call.
public final class StoredWalks: Sendable {
  /// The name of the stores in a `Storage`.
  public static let storeName = "walks"

  private struct State: Sendable {
    var store: (any RecordStore<Record>)?
    var view: WalkView?
  }

  private let makeStore: @Sendable () throws -> any RecordStore<Record>
  private let state = Lock(State())

  /// Keeps the records in `store`.
  public init(store: any RecordStore<Record>) {
    makeStore = { store }
  }

  /// Keeps the records in the store ``storeName`` of `storage`.
  public init(storage: Storage) {
    makeStore = { try storage.records(Self.storeName, of: Record.self) }
  }

  func store() throws -> any RecordStore<Record> {
    try state.withLock { state in
      if let store = state.store { return store }
      let store = try makeStore()
      state.store = store
      return store
    }
  }

  func snapshot() async throws -> Snapshot<Record> { try await store().snapshot() }

  /// The content as it is now, with an index that is built anew only after many changes.
  func view() async throws -> WalkView {
    let snapshot = try await snapshot()
    let last = state.withLock(\.view)
    if let last, last.snapshot.revision == snapshot.revision { return last }
    let view = WalkView(snapshot, reusing: last)
    state.withLock { state in
      // Another call may have come further meanwhile.
      if let kept = state.view, kept.snapshot.revision > snapshot.revision { return }
      state.view = view
    }
    return view
  }

  /// Changes the store by what `body` makes of its content, and gives what `body` gives: as often as
  /// another commit comes between, it runs anew. Nothing is committed when it makes no changes.
  func changing<Result>(
    _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Result
  ) async throws -> Result {
    let store = try store()
    // Each attempt fails only because another commit has succeeded, so this is no endless loop.
    while true {
      let snapshot = try await store.snapshot()
      var changes = Changes<Record>()
      let result = try body(snapshot, &changes)
      if changes.isEmpty { return result }
      do {
        try await store.commit(changes, checkpoint: nil, expecting: snapshot.revision)
        return result
      } catch let error as FieldError where error.code == .conflict {
        try Task.checkCancellation()
      }
    }
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
  public func open() async throws -> OpeningReport { try await store().open() }

  /// Closes the store.
  public func close() async throws { try await store().close() }

  /// Forgets everything in one commit, and removes what was set aside.
  public func eraseAll() async throws {
    var changes = Changes<Record>()
    changes.removeAll()
    try await store().commit(changes, checkpoint: nil, expecting: nil)
    try await store().removeSetAside()
  }

  /// The blobs that records refer to.
  @concurrent
  public func blobsInUse() async throws -> Set<BlobID> {
    var ids: Set<BlobID> = []
    for record in try await snapshot() { record.forEachBlob { ids.insert($0) } }
    return ids
  }

  /// What has changed, each time that something has.
  public func updates() -> WalkDiaryUpdates {
    WalkDiaryUpdates { [self] in try store().updates() }
  }
}
