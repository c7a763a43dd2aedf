import FieldKit
import FieldTesting

/// A custom store built on public symbols only: an actor around a snapshot.
actor MyStore: RecordStore {
  private var current = Snapshot<ConformanceRecord>([])
  private var listeners: [AsyncStream<Snapshot<ConformanceRecord>>.Continuation] = []

  func snapshot() async throws -> Snapshot<ConformanceRecord> { current }

  func commit(
    _ changes: Changes<ConformanceRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    if let expecting, expecting != current.revision {
      throw FieldError(.conflict, "The store is at \(current.revision), not \(expecting).")
    }
    let next = current.applying(changes, checkpoint: checkpoint)
    guard next.revision != current.revision else { return current.revision }
    current = next
    for listener in listeners { listener.yield(next) }
    return next.revision
  }

  nonisolated func updates() -> SnapshotUpdates<ConformanceRecord> {
    SnapshotUpdates { await self.listen() }
  }

  private func listen() -> AsyncStream<Snapshot<ConformanceRecord>> {
    let (stream, listener) = AsyncStream.makeStream(
      of: Snapshot<ConformanceRecord>.self, bufferingPolicy: .bufferingNewest(1))
    listener.yield(current)
    listeners.append(listener)
    return stream
  }
}
