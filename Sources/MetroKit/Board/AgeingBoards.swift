internal import FieldCore

/// The newest board of a listener, and a signal when there is another one or when time changes it.
///
/// A task owned by the signals waits for boards, and another for the next change. Both end with the
/// listener.
final class AgeingBoards: Sendable {
  /// A signal for each board and each change, of which a slow listener keeps one.
  let signals: AsyncStream<Void>
  private let state: Lock<ArrivalBoard?>

  /// Creates the boards of a listener.
  ///
  /// - Parameter first: The board that the listener has already.
  init(
    _ boards: AsyncStream<ArrivalBoard>, after first: ArrivalBoard?, clock: any FieldClock
  ) {
    let (signals, listener) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let state = Lock(first)
    self.signals = signals
    self.state = state
    let task = Task {
      var timer = first.map { Self.timer(for: $0, clock, listener) }
      for await board in boards {
        timer?.cancel()
        state.withLock { $0 = board }
        listener.yield()
        timer = Self.timer(for: board, clock, listener)
      }
      timer?.cancel()
      listener.finish()
    }
    listener.onTermination = { _ in task.cancel() }
  }

  /// The newest board, which isn't evaluated.
  var newest: ArrivalBoard? { state.withLock { $0 } }

  /// Starts a task that sleeps from one change of a board to the next.
  private static func timer(
    for board: ArrivalBoard, _ clock: any FieldClock, _ listener: AsyncStream<Void>.Continuation
  ) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        // Recomputed each time, because the date may have been set meanwhile.
        let board = board.evaluatingFreshness(at: clock.now)
        guard let wait = board.timeUntilChange else { return }
        do { try await clock.sleep(for: wait) } catch { return }
        listener.yield()
      }
    }
  }
}
