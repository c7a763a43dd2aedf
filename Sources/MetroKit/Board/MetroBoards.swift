public import FieldCore

/// A sequence of boards, each with the changes since the previous one.
///
/// When time alone changes a board, it comes again. Slow consumers skip intermediate boards, but
/// never the newest one. A failure is part of the board; the sequence itself never fails. See
/// ``Metro/boards(every:)`` and ``Metro/updates()``.
public typealias MetroBoards = FieldSequence<ArrivalBoard, Never>

extension MetroBoards {
  init(poller: MetroPoller, interval: Duration?) {
    self.init {
      var listening: (boards: AgeingBoards, signals: AsyncStream<Void>.Iterator)?
      var isOver = false
      var last: ArrivalBoard?
      return { actor in
        var board: ArrivalBoard?
        if listening == nil, !isOver, let (first, next) = await poller.listen(every: interval) {
          let boards = AgeingBoards(next, after: first, clock: poller.clock)
          listening = (boards, boards.signals.makeAsyncIterator())
          board = first
        }
        if board == nil, !Task.isCancelled,
          let _: Void = await listening?.signals.next(isolation: actor)
        {
          board = listening?.boards.newest
        }
        guard var board else {
          (isOver, listening) = (true, nil)
          return nil
        }
        board = poller.current(board)
        let changes = last.map { board.changes(since: $0) }
        last = board
        board.changes = changes
        return board
      }
    }
  }
}
