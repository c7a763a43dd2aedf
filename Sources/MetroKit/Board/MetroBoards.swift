internal import FieldCore

/// Boards as they come, each with what has changed since the one before: see ``Metro/boards(every:)`` and
/// ``Metro/updates()``.
///
/// A slow reader misses boards in between, never the newest one.
public struct MetroBoards: AsyncSequence, Sendable {
  /// What one step gives.
  public typealias Element = ArrivalBoard
  /// A failure is told with the board; the sequence itself never fails.
  public typealias Failure = Never

  private let poller: MetroPoller
  private let interval: Duration?

  init(poller: MetroPoller, interval: Duration?) {
    self.poller = poller
    self.interval = interval
  }

  /// Makes the iterator, which listens from its first step on.
  public func makeAsyncIterator() -> Iterator { Iterator(poller: poller, interval: interval) }

  /// Gives the boards one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private enum Phase {
      case before
      case during(AsyncStream<ArrivalBoard>.Iterator)
      case after
    }

    private let poller: MetroPoller
    private let interval: Duration?
    private var phase = Phase.before
    private var last: ArrivalBoard?

    fileprivate init(poller: MetroPoller, interval: Duration?) {
      self.poller = poller
      self.interval = interval
    }

    /// The next board; nil when the metro has been closed or the task cancelled.
    public mutating func next() async -> ArrivalBoard? {
      await next(isolation: #isolation)
    }

    /// The next board, on the caller's actor; nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ArrivalBoard? {
      if case .before = phase {
        guard let boards = await poller.listen(every: interval) else { return end() }
        phase = .during(boards.next.makeAsyncIterator())
        if let first = boards.first { return handOver(first) }
      }
      guard case .during(var iterator) = phase, !Task.isCancelled,
        let board = await iterator.next(isolation: actor)
      else { return end() }
      phase = .during(iterator)
      return handOver(board)
    }

    private mutating func handOver(_ board: ArrivalBoard) -> ArrivalBoard {
      var board = poller.judgedNow(board)
      board.changes = last.map { board.changes(since: $0) }
      last = board
      last?.changes = nil
      return board
    }

    private mutating func end() -> ArrivalBoard? {
      phase = .after
      return nil
    }
  }
}
