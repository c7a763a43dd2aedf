public import FieldCore

/// Boards as they come, each with what has changed since the one before: see ``Metro/boards(every:)`` and
/// ``Metro/updates()``.
///
/// A slow reader misses boards in between, never the newest one.
/// A failure comes with the board; the sequence itself never fails.
public typealias MetroBoards = FieldSequence<ArrivalBoard, Never>

extension MetroBoards {
  init(poller: MetroPoller, interval: Duration?) {
    self.init {
      var boards: AsyncStream<ArrivalBoard>.Iterator?
      var isOver = false
      var last: ArrivalBoard?
      return { actor in
        var board: ArrivalBoard?
        if boards == nil, !isOver, let (first, next) = await poller.listen(every: interval) {
          boards = next.makeAsyncIterator()
          board = first
        }
        if board == nil, !Task.isCancelled { board = await boards?.next(isolation: actor) }
        guard var board else {
          (isOver, boards) = (true, nil)
          return nil
        }
        board = poller.judgedNow(board)
        let changes = last.map { board.changes(since: $0) }
        last = board
        board.changes = changes
        return board
      }
    }
  }
}
