/// The steps of refreshes as they come, for a progress bar.
///
/// A slow reader misses steps in between, never the newest one.
public struct RefreshProgressUpdates: AsyncSequence, Sendable {
  private let stream: AsyncStream<RefreshProgress>

  package init(_ stream: AsyncStream<RefreshProgress>) { self.stream = stream }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator())
  }

  /// Gives the steps one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<RefreshProgress>.Iterator

    /// The next step; nil when there will be none.
    public mutating func next() async -> RefreshProgress? {
      await next(isolation: #isolation)
    }

    /// The next step, on the caller's actor; nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> RefreshProgress? {
      await base.next(isolation: actor)
    }
  }
}
