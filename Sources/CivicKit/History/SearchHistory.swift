internal import FieldCore

/// The user's search history, stored on the device: each text once, oldest first.
///
/// ```swift
/// if try await directory.searchHistory.add("社會") { print("new") }
/// print(try await directory.searchHistory.entries())
/// ```
public struct SearchHistory: Sendable {
  private let store: any CivicRepository
  /// The maximum number of texts; a further one replaces the oldest.
  public let limit: Int

  init(store: any CivicRepository, limit: Int) {
    self.store = store
    self.limit = max(1, limit)
  }

  /// Returns the texts, oldest first.
  ///
  /// If an import has stored more than ``limit`` texts, only the newest are returned.
  public func entries() async throws -> [SearchEntry] {
    try await FieldError.wrapping("The search history can't be read.") {
      Self.entries(in: try await store.snapshot())
    }.suffix(limit)
  }

  /// Adds a text to the end of the history, without the space around it.
  ///
  /// - Returns: `true` if the text was added; `false` if it is blank or already in the history.
  @discardableResult
  public func add(_ text: String) async throws -> Bool {
    guard let text = CleanText.value(text) else { return false }
    return try await update { snapshot, changes in
      let entries = Self.entries(in: snapshot)
      guard !entries.suffix(limit).contains(SearchEntry(text)) else { return false }
      for entry in entries.prefix(max(0, entries.count + 1 - limit)) {
        changes.remove(CivicRecord.ID(.search, entry.text))
      }
      changes.upsert(.search(SearchEntry(text)))
      return true
    }
  }

  /// Removes a text from the history.
  ///
  /// - Returns: `true` if the history contained the text.
  @discardableResult
  public func remove(_ text: String) async throws -> Bool {
    let id = CivicRecord.ID(.search, CleanText.value(text) ?? text)
    return try await update { snapshot, changes in
      guard snapshot[id: id] != nil else { return false }
      changes.remove(id)
      return true
    }
  }

  /// Removes all texts from the history.
  public func clear() async throws {
    try await update { snapshot, changes in
      for entry in Self.entries(in: snapshot) {
        changes.remove(CivicRecord.ID(.search, entry.text))
      }
    }
  }

  private func update<Result>(
    _ body: (Snapshot<CivicRecord>, inout Changes<CivicRecord>) -> Result
  ) async throws -> Result {
    try await FieldError.wrapping("The search history can't be changed.") {
      try await store.updating { snapshot, changes, _ in body(snapshot, &changes) }
    }
  }

  private static func entries(in snapshot: Snapshot<CivicRecord>) -> [SearchEntry] {
    snapshot.compactMap { if case .search(let entry) = $0 { entry } else { nil } }
  }
}
