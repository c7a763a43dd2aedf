internal import FieldCore

/// A directory as it is, and then the newest after each change.
///
/// A slow reader misses states in between, never the newest one.
public struct CivicUpdates: AsyncSequence, Sendable {
  /// What one step gives.
  public typealias Element = CivicView

  private let repository: any CivicRepository

  init(repository: any CivicRepository) { self.repository = repository }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(repository: repository) }

  /// Gives the states one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let repository: any CivicRepository
    private var snapshots: SnapshotUpdates<CivicRecord>.AsyncIterator?
    private var newest: CivicView?

    fileprivate init(repository: any CivicRepository) { self.repository = repository }

    /// The next state; nil when the directory has been closed or the task cancelled.
    ///
    /// - Throws: `FieldError` when the store cannot be opened.
    public mutating func next() async throws -> CivicView? {
      try await next(isolation: #isolation)
    }

    /// The next state, on the caller's actor; nil when there will be none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> CivicView? {
      var iterator = try snapshots ?? repository.updates().makeAsyncIterator()
      let snapshot = try await iterator.next(isolation: actor)
      snapshots = iterator
      guard let snapshot else { return nil }
      let view = CivicView(of: snapshot, after: newest)
      newest = view
      return view
    }
  }
}
