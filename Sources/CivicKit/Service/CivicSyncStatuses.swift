public import FieldCore

/// The statuses of synchronizations, as they change.
///
/// A slow reader misses statuses in between, never the newest ones.
public typealias CivicSyncStatuses = FieldSequence<CivicSyncStatus, Never>

extension CivicSyncStatuses {
  /// Creates the statuses of a broadcast: the newest first, also when there will be no other.
  init(of broadcast: Broadcast<CivicSyncStatus>) {
    self.init(
      broadcast.listen()?.stream
        ?? AsyncStream { listener in
          if let newest = broadcast.newest { listener.yield(newest) }
          listener.finish()
        })
  }
}
