internal import FieldCore

/// The meteorites as they are, and then the newest after each change.
///
/// A slow reader misses states in between, never the newest one.
public struct MeteoriteUpdates: AsyncSequence, Sendable {
  /// What one step gives.
  public typealias Element = MeteoriteView

  private let repository: any MeteoriteRepository

  init(repository: any MeteoriteRepository) { self.repository = repository }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(repository: repository) }

  /// Gives the states one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let repository: any MeteoriteRepository
    private var snapshots: SnapshotUpdates<Meteorite>.AsyncIterator?
    private var newest: MeteoriteView?

    fileprivate init(repository: any MeteoriteRepository) { self.repository = repository }

    /// The next state; nil when the catalog has been closed or the task cancelled.
    ///
    /// - Throws: `FieldError` when the store cannot be opened.
    public mutating func next() async throws -> MeteoriteView? {
      try await next(isolation: #isolation)
    }

    /// The next state, on the caller's actor; nil when there will be none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> MeteoriteView? {
      var iterator = try snapshots ?? repository.updates().makeAsyncIterator()
      let snapshot = try await iterator.next(isolation: actor)
      snapshots = iterator
      guard let snapshot else { return nil }
      let view = MeteoriteView(of: snapshot, after: newest)
      newest = view
      return view
    }
  }
}
