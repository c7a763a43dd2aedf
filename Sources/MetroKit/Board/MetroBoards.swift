public import FieldCore

/// A sequence of boards, each with the changes since the previous one.
///
/// Slow consumers skip intermediate boards, but never the newest one. A failure is part of the
/// board; the sequence itself never fails. See ``Metro/boards(every:)`` and ``Metro/updates()``.
public typealias MetroBoards = FieldSequence<ArrivalBoard, Never>

extension MetroBoards {
  init(poller: MetroPoller, interval: Duration?) {
    self.init {
      var boards: AsyncStream<ArrivalBoard>.Iterator?
      var ageing: AgeingBoards?
      var signals: AsyncStream<Void>.Iterator?
      var isOver = false
      var last: ArrivalBoard?
      return { actor in
        var board: ArrivalBoard?
        if boards == nil, signals == nil, !isOver,
          let (first, next) = await poller.listen(every: interval)
        {
          board = first
          if interval == nil {
            let aging = AgeingBoards(next, after: first, clock: poller.clock)
            (ageing, signals) = (aging, aging.signals.makeAsyncIterator())
          } else {
            boards = next.makeAsyncIterator()
          }
        }
        if board == nil, !Task.isCancelled {
          if let _: Void = await signals?.next(isolation: actor) {
            board = ageing?.board
          } else {
            board = await boards?.next(isolation: actor)
          }
        }
        guard var board else {
          (isOver, boards, signals, ageing) = (true, nil, nil, nil)
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
