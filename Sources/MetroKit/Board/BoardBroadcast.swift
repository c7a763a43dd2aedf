internal import FieldCore

/// Hands each new board to all who listen.
final class BoardBroadcast: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<ArrivalBoard>.Continuation] = [:]
    var lastListener = 0
    var told = 0
    var newest: ArrivalBoard?
    var isClosed = false
  }

  private let state = Lock(State())

  /// How many boards have been told.
  var count: Int { state.withLock(\.told) }

  /// Hands a board to all.
  func tell(_ board: ArrivalBoard) {
    let listeners = state.withLock { state in
      state.told += 1
      state.newest = board
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(board) }
  }

  /// Starts to listen; a board that was told after `count` others comes first.
  ///
  /// A slow listener misses boards in between, never the newest.
  ///
  /// - Parameter ended: Called once when nobody listens to the stream any more.
  func listen(
    after count: Int, ended: @escaping @Sendable (Int) -> Void
  ) -> (number: Int, stream: AsyncStream<ArrivalBoard>)? {
    let (stream, listener) = AsyncStream.makeStream(
      of: ArrivalBoard.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      // Nobody waits for the stream yet, so this only fills its buffer.
      if state.told > count, let newest = state.newest { listener.yield(newest) }
      return state.lastListener
    }
    guard let number else { return nil }
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
      ended(number)
    }
    return (number, stream)
  }

  /// Ends all streams, now and later.
  func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
