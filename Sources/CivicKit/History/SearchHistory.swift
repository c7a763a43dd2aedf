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
    var isNew = false
    try await update { snapshot, changes in
      let entries = Self.entries(in: snapshot)
      isNew = !entries.suffix(limit).contains(SearchEntry(text))
      guard isNew else { return }
      for entry in entries.prefix(max(0, entries.count + 1 - limit)) {
        changes.remove(CivicRecord.ID(.search, entry.text))
      }
      changes.upsert(.search(SearchEntry(text)))
    }
    return isNew
  }

  /// Removes a text from the history.
  ///
  /// - Returns: `true` if the history contained the text.
  @discardableResult
  public func remove(_ text: String) async throws -> Bool {
    let id = CivicRecord.ID(.search, CleanText.value(text) ?? text)
    var wasThere = false
    try await update { snapshot, changes in
      wasThere = snapshot[id: id] != nil
      if wasThere { changes.remove(id) }
    }
    return wasThere
  }

  /// Removes all texts from the history.
  public func clear() async throws {
    try await update { snapshot, changes in
      for entry in Self.entries(in: snapshot) {
        changes.remove(CivicRecord.ID(.search, entry.text))
      }
    }
  }

  private func update(
    _ body: (Snapshot<CivicRecord>, inout Changes<CivicRecord>) -> Void
  ) async throws {
    try await FieldError.wrapping("The search history can't be changed.") {
      try await store.update { snapshot, changes in body(snapshot, &changes) }
    }
  }

  private static func entries(in snapshot: Snapshot<CivicRecord>) -> [SearchEntry] {
    snapshot.compactMap { if case .search(let entry) = $0 { entry } else { nil } }
  }
}
