internal import FieldCore

/// How synchronisations stand, as it happens.
///
/// A slow reader misses statuses in between, never the newest ones.
public struct CivicSyncStatuses: AsyncSequence, Sendable {
  private let stream: AsyncStream<CivicSyncStatus>

  /// Makes the statuses of a broadcast: the newest first, also when there will be no other.
  init(of broadcast: Broadcast<CivicSyncStatus>) {
    stream =
      broadcast.listen()?.stream
      ?? AsyncStream { listener in
        if let newest = broadcast.newest { listener.yield(newest) }
        listener.finish()
      }
  }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator())
  }

  /// Gives the statuses one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<CivicSyncStatus>.Iterator

    /// The next status; nil when there will be none.
    public mutating func next() async -> CivicSyncStatus? {
      await next(isolation: #isolation)
    }

    /// The next status, on the caller's actor; nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> CivicSyncStatus? {
      await base.next(isolation: actor)
    }
  }
}
