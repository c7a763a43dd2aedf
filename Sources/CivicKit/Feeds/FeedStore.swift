internal import FieldCore

/// The store of all feeds, opened on first use.
final class FeedStore: Sendable {
  /// The name of the store in a `Storage`.
  static let name = "civic-feeds"

  private let storage: Storage
  private let opened = Lock<(any RecordStore<FeedRecord>)?>(nil)

  init(storage: Storage) { self.storage = storage }

  func open() async throws -> OpeningReport {
    try await wrapping("the store of the feeds cannot be opened") { try await $0.open() }
  }

  func close() async throws {
    try await wrapping("the store of the feeds cannot be closed") { try await $0.close() }
  }

  func snapshot() async throws -> Snapshot<FeedRecord> {
    try await wrapping("the stored feeds cannot be read") { try await $0.snapshot() }
  }

  /// Commits what `body` makes of the content, unless that is nothing.
  func update(
    _ body: (Snapshot<FeedRecord>, inout Changes<FeedRecord>, inout Checkpoint?) throws -> Void
  ) async throws {
    try await wrapping("the feeds cannot be stored") { store in
      try await SyncTarget(store).update(body)
    }
  }

  func eraseAll() async throws {
    try await wrapping("the stored feeds cannot be erased") { store in
      var changes = Changes<FeedRecord>()
      changes.removeAll()
      try await store.commit(changes, checkpoint: Checkpoint(), expecting: nil)
    }
  }

  /// What a store of an app's own throws becomes the underlying error of a `FieldError`.
  @discardableResult
  private func wrapping<Result>(
    _ message: String, _ body: (any RecordStore<FeedRecord>) async throws -> Result
  ) async throws -> Result {
    try await FieldError.wrapping(message) { try await body(try store()) }
  }

  private func store() throws -> any RecordStore<FeedRecord> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try storage.records(Self.name, of: FeedRecord.self)
      opened = store
      return store
    }
  }
}
