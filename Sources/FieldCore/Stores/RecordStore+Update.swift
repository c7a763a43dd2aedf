extension RecordStore {
  /// Changes the store by what `body` makes of its content, and tries again when it has moved on.
  ///
  /// ```swift
  /// try await store.update { visits, changes in
  ///   guard var visit = visits[id: id] else { return }
  ///   visit.count += 1
  ///   changes.upsert(visit)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: How often `body` may run.
  ///   - body: Makes the changes. It runs anew for each attempt, so it must not do anything else.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` when another commit came
  ///   between in every attempt; what `body` throws.
  @discardableResult
  public func update(
    attempts: Int = 8, _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Void
  ) async throws -> Revision {
    try await update(attempts: attempts) { snapshot, changes, _ in
      try body(snapshot, &changes)
    }
  }

  /// Changes the store and its checkpoint by what `body` makes of its content, and tries again when it
  /// has moved on.
  ///
  /// - Parameters:
  ///   - attempts: How often `body` may run.
  ///   - body: Makes the changes, and changes the checkpoint, which it is given as it is. It runs anew
  ///     for each attempt, so it must not do anything else.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` when another commit came
  ///   between in every attempt; what `body` throws.
  @discardableResult
  public func update(
    attempts: Int = 8,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await SyncTarget(self).update(attempts: attempts, body)
  }
}
