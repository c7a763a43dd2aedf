/// What a run of changes needs of a store, whether it is a ``RecordStore`` or a kit's repository over
/// one.
package struct SyncTarget<Record: StoredRecord>: Sendable {
  private let takeSnapshot: @Sendable () async throws -> Snapshot<Record>
  private let makeCommit:
    @Sendable (Changes<Record>, Checkpoint?, Revision?) async throws -> Revision
  /// Updates of one target wait for each other: a hundred at once would use up each other's attempts.
  private let turnstile = Turnstile()

  package init(
    snapshot: @escaping @Sendable () async throws -> Snapshot<Record>,
    commit: @escaping @Sendable (Changes<Record>, Checkpoint?, Revision?) async throws -> Revision
  ) {
    takeSnapshot = snapshot
    makeCommit = commit
  }

  package init(_ store: some RecordStore<Record>) {
    self.init(
      snapshot: { try await store.snapshot() },
      commit: { try await store.commit($0, checkpoint: $1, expecting: $2) })
  }

  /// The content as it is now.
  package func snapshot() async throws -> Snapshot<Record> { try await takeSnapshot() }

  /// Commits what `body` makes of the content, in line with the other updates of this target, and calls
  /// it anew when the store has moved on meanwhile. What changes nothing is not committed.
  ///
  /// - Parameters:
  ///   - first: The content to begin with; nil takes a snapshot.
  ///   - attempts: How often `body` may run.
  ///   - stopsWhenCancelled: Whether nothing is committed when the task has been cancelled.
  ///   - body: Makes the changes, and changes the checkpoint, which it is given as it is.
  @discardableResult
  package func update(
    from first: Snapshot<Record>? = nil, attempts: Int = 8, stopsWhenCancelled: Bool = true,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    guard stopsWhenCancelled else {
      return try await turnstile.passAlways {
        try await commit(from: first, attempts, stopsWhenCancelled: false, body)
      }
    }
    return try await turnstile.pass {
      try await commit(from: first, attempts, stopsWhenCancelled: true, body)
    }
  }

  private func commit(
    from first: Snapshot<Record>?, _ attempts: Int, stopsWhenCancelled: Bool,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    var attempt = 1
    var known = first
    while true {
      let before: Snapshot<Record>
      if let known { before = known } else { before = try await takeSnapshot() }
      known = nil
      var changes = Changes<Record>()
      var checkpoint = before.checkpoint
      try body(before, &changes, &checkpoint)
      if changes.isEmpty && checkpoint == before.checkpoint { return before.revision }
      if stopsWhenCancelled { try Task.checkCancellation() }
      do {
        return try await makeCommit(changes, checkpoint, before.revision)
      } catch let error as FieldError where error.code == .conflict && attempt < attempts {
        attempt += 1
      }
    }
  }
}
