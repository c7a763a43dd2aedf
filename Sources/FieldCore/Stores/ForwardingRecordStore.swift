/// A record store that leaves what it doesn't do itself to another one, except for its observer.
package protocol ForwardingRecordStore: RecordStore {
  func target() throws -> any RecordStore<Record>
}

extension ForwardingRecordStore {
  package func open() async throws -> OpeningReport { try await target().open() }

  package func snapshot() async throws -> Snapshot<Record> { try await target().snapshot() }

  package func durableSnapshot() async throws -> Snapshot<Record> {
    try await target().durableSnapshot()
  }

  package func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await target().commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  package func update(
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    try await target().update(body)
  }

  package func updates() -> SnapshotUpdates<Record> {
    SnapshotUpdates(following: { try self.target().updates() })
  }

  package func eraseAll() async throws { try await target().eraseAll() }

  package func removeSetAside() async throws { try await target().removeSetAside() }

  package func close() async throws { try await target().close() }
}
