/// The content of a store as it is now, and then the newest after each change.
///
/// A reader that is slower than the changes is given the newest and skips what was between. The
/// sequence ends when its task is cancelled and when the store is closed; it throws when the store
/// cannot be opened. Each iteration is an observer of its own.
///
/// ```swift
/// for try await visits in store.updates() {
///   show(visits.count)
/// }
/// ```
public struct SnapshotUpdates<Record: StoredRecord>: AsyncSequence, Sendable {
  /// The content of the store.
  public typealias Element = Snapshot<Record>

  let start: @Sendable () async throws -> AsyncStream<Snapshot<Record>>

  /// Makes the sequence of a store of your own.
  ///
  /// - Parameter start: Called at the first step of each iteration. The stream that it returns gives
  ///   the present content first, and buffers the newest one only.
  public init(_ start: @escaping @Sendable () async throws -> AsyncStream<Snapshot<Record>>) {
    self.start = start
  }

  /// Makes an iterator, which observes the store from its first step on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(start: start) }

  /// Waits for the next content.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Phase {
      case before
      case during(AsyncStream<Snapshot<Record>>.AsyncIterator)
      case after
    }

    private var phase = Phase.before
    // Kept to the end, since it keeps the store that it starts from.
    private let start: @Sendable () async throws -> AsyncStream<Snapshot<Record>>

    fileprivate init(start: @escaping @Sendable () async throws -> AsyncStream<Snapshot<Record>>) {
      self.start = start
    }

    /// The next content, or nil when the task was cancelled or the store was closed.
    public mutating func next() async throws -> Snapshot<Record>? {
      try await next(isolation: #isolation)
    }

    /// The next content, or nil when the task was cancelled or the store was closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Snapshot<Record>? {
      do {
        if case .before = phase {
          phase = .during(try await start().makeAsyncIterator())
        }
        guard case .during(var iterator) = phase, !Task.isCancelled else {
          phase = .after
          return nil
        }
        let snapshot = await iterator.next(isolation: actor)
        phase = snapshot == nil ? .after : .during(iterator)
        return snapshot
      } catch is CancellationError {
        phase = .after
        return nil
      } catch {
        phase = .after
        throw error
      }
    }
  }
}
