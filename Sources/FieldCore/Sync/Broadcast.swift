/// Hands what it is told to all who listen.
///
/// A slow listener misses elements in between, never the newest.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var lastListener = 0
    var told = 0
    var newest: Element?
    var isClosed = false
  }

  /// How many elements wait for a slow listener at the most.
  private let buffer: Int
  private let state = Lock(State())

  package init(buffer: Int = 1) { self.buffer = buffer }

  /// What newcomers are told first.
  package var newest: Element? { state.withLock(\.newest) }

  /// How many elements have been told.
  package var count: Int { state.withLock(\.told) }

  /// Starts to listen; what newcomers are told first comes first, when it was told after `count` others.
  ///
  /// - Parameter ended: Called once when nobody listens to the stream any more.
  /// - Returns: The stream and its number; nil when the broadcast has been closed.
  package func listen(
    after count: Int = 0, ended: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> (number: Int, stream: AsyncStream<Element>)? {
    let (stream, listener) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(buffer))
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

  /// Tells an element, which newcomers are told first from now on.
  package func tell(_ element: Element) {
    tell { newest in
      newest = element
      return element
    }
  }

  /// Tells what `make` makes of what newcomers are told first, which it may change.
  package func tell(_ make: (inout Element?) -> Element) {
    let (element, listeners) = state.withLock { state in
      state.told += 1
      return (make(&state.newest), Array(state.listeners.values))
    }
    for listener in listeners { listener.yield(element) }
  }

  /// Ends all streams, now and later.
  package func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
