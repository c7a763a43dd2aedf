extension RecordStore {
  /// Updates the store with changes that `body` derives from its content.
  ///
  /// ```swift
  /// try await store.update { visits, changes in
  ///   guard var visit = visits[id: id] else { return }
  ///   visit.count += 1
  ///   changes.upsert(visit)
  /// }
  /// ```
  ///
  /// - Parameter body: Makes the changes. It may run more than once, so it must not have other
  ///   side effects.
  /// - Throws: An error from `body` or from the commit; nothing has been changed then.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>) throws -> Void
  ) async throws -> Revision {
    try await update { snapshot, changes, _ in try body(snapshot, &changes) }
  }

  /// Updates the store with changes that `body` makes, and returns the result of `body`.
  package func updating<Result>(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Result
  ) async throws -> Result {
    var result: Result?
    try await update { result = try body($0, &$1, &$2) }
    guard let result else { throw FieldError(.io, "The store didn't run the update.") }
    return result
  }

  /// Commits the changes that `body` makes, repeating that after each conflict.
  ///
  /// Each conflict means that another commit succeeded, so callers don't hold each other up
  /// forever. A store that only reports conflicts is broken: the thousandth conflict is thrown.
  @discardableResult
  public func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    var attempts = 1
    while true {
      let before = try await snapshot()
      guard let (changes, checkpoint) = try before.changes(by: body) else { return before.revision }
      try Task.checkCancellation()
      do {
        return try await commit(changes, checkpoint: checkpoint, expecting: before.revision)
      } catch let error as FieldError where error.code == .conflict && attempts < 1_000 {
        attempts += 1
        await Task.yield()
      }
    }
  }

  /// Changes the store in a refresh, unless the store was erased since the refresh began.
  ///
  /// - Parameter base: The checkpoint that the refresh began with, or that its part began with. In a refresh of a kit, the
  ///   store must not have been erased before that part either.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/conflict`` if the store was erased.
  @discardableResult
  package func update(
    inRunFrom base: Checkpoint?,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    let run = RunErasures.current
    return try await update { snapshot, changes, checkpoint in
      guard checkpoint?.erasure == base?.erasure,
        run.contains(checkpoint?.erasure, of: Record.self)
      else { throw FieldError.erasedInRun }
      try body(snapshot, &changes, &checkpoint)
    }
  }
}

extension Snapshot {
  /// Returns the changes that `body` makes, or `nil` if there are none.
  func changes(
    by body: (Snapshot, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) throws -> (Changes<Record>, Checkpoint?)? {
    var changes = Changes<Record>()
    var checkpoint = checkpoint
    try body(self, &changes, &checkpoint)
    return changes.isEmpty && checkpoint == self.checkpoint ? nil : (changes, checkpoint)
  }
}

extension FieldError {
  /// The error of a refresh whose store was erased.
  package static var erasedInRun: FieldError {
    FieldError(
      .conflict,
      "The store was erased during the refresh, so nothing was stored. Refresh again.")
  }
}
