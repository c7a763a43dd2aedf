/// What a kit shows of its store, as it is now and then the newest after each change.
///
/// A slow reader misses states in between, never the newest one. Each iteration is an observer of its own;
/// it ends when its task is cancelled and when the store is closed.
///
/// ```swift
/// for try await view in catalog.updates() {
///   show(view.count)
/// }
/// ```
public struct ViewUpdates<Record: StoredRecord, View: Sendable>: AsyncSequence, Sendable {
  /// What one step gives.
  public typealias Element = View

  private let snapshots: @Sendable () async throws -> SnapshotUpdates<Record>
  private let view: @Sendable (Snapshot<Record>, View?) -> View

  /// Makes the views of a store's contents.
  ///
  /// - Parameter snapshots: Called at the first step of each iteration.
  package init(of snapshots: @escaping @Sendable () async throws -> SnapshotUpdates<Record>)
  where View: StoreView, View.Record == Record {
    self.snapshots = snapshots
    view = { View(of: $0, after: $1) }
  }

  /// Makes an iterator, which observes the store from its first step on.
  public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots, view: view) }

  /// Gives the views one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let snapshots: @Sendable () async throws -> SnapshotUpdates<Record>
    fileprivate let view: @Sendable (Snapshot<Record>, View?) -> View
    private var base: SnapshotUpdates<Record>.AsyncIterator?
    private var newest: View?

    fileprivate init(
      snapshots: @escaping @Sendable () async throws -> SnapshotUpdates<Record>,
      view: @escaping @Sendable (Snapshot<Record>, View?) -> View
    ) {
      self.snapshots = snapshots
      self.view = view
    }

    /// The next view; nil when the store has been closed or the task cancelled.
    ///
    /// - Throws: `FieldError` when the store cannot be opened.
    public mutating func next() async throws -> View? {
      try await next(isolation: #isolation)
    }

    /// The next view, on the caller's actor; nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> View? {
      var iterator: SnapshotUpdates<Record>.AsyncIterator
      if let base { iterator = base } else { iterator = try await snapshots().makeAsyncIterator() }
      let snapshot = try await iterator.next(isolation: actor)
      base = iterator
      guard let snapshot else { return nil }
      let next = view(snapshot, newest)
      newest = next
      return next
    }
  }
}
