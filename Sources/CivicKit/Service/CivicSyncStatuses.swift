public import FieldCore

/// A sequence of the statuses of syncs, as they change.
///
/// Slow consumers skip intermediate statuses, but never the newest one.
public typealias CivicSyncStatuses = FieldSequence<CivicSyncStatus, Never>

extension CivicSyncStatuses {
  /// Creates the statuses of a broadcast: the newest first, even if no other will follow.
  init(of broadcast: Broadcast<CivicSyncStatus>) {
    self.init(
      broadcast.listen()?.stream
        ?? AsyncStream { listener in
          if let newest = broadcast.newest { listener.yield(newest) }
          listener.finish()
        })
  }
}
