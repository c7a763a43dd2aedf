internal import FieldCore

/// The store of all feeds, opened on first use.
final class FeedStore: Sendable {
  /// The name of the store in a `Storage`.
  static let name = "civic-feeds"

  private let storage: Storage
  private let opened = Lock<Opened?>(nil)

  /// The store, and what all updates of it go through.
  private struct Opened: Sendable {
    var records: any RecordStore<FeedRecord>
    var target: SyncTarget<FeedRecord>

    init(_ records: some RecordStore<FeedRecord>) {
      self.records = records
      target = SyncTarget(records)
    }
  }

  init(storage: Storage) { self.storage = storage }

  func open() async throws -> OpeningReport {
    try await wrapping("the store of the feeds cannot be opened") { try await $0.records.open() }
  }

  func close() async throws {
    try await wrapping("the store of the feeds cannot be closed") { try await $0.records.close() }
  }

  func snapshot() async throws -> Snapshot<FeedRecord> {
    try await wrapping("the stored feeds cannot be read") { try await $0.records.snapshot() }
  }

  /// Commits what `body` makes of the content, unless that is nothing.
  func update(
    _ body: (Snapshot<FeedRecord>, inout Changes<FeedRecord>, inout Checkpoint?) throws -> Void
  ) async throws {
    try await wrapping("the feeds cannot be stored") { store in
      try await store.target.update(body)
    }
  }

  func eraseAll() async throws {
    try await wrapping("the stored feeds cannot be erased") { store in
      var changes = Changes<FeedRecord>()
      changes.removeAll()
      try await store.records.commit(changes, checkpoint: Checkpoint(), expecting: nil)
    }
  }

  /// What a store of an app's own throws becomes the underlying error of a `FieldError`.
  @discardableResult
  private func wrapping<Result>(
    _ message: String, _ body: (Opened) async throws -> Result
  ) async throws -> Result {
    try await FieldError.wrapping(message) { try await body(try store()) }
  }

  private func store() throws -> Opened {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = Opened(try storage.records(Self.name, of: FeedRecord.self))
      opened = store
      return store
    }
  }
}
