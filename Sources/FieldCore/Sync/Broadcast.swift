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
    /// What is still to be told, in order.
    var deliveries: [Delivery] = []
    /// Whether somebody is telling.
    var isDelivering = false
  }

  private struct Delivery: Sendable {
    /// What is told; nil ends the listeners.
    var element: Element?
    var listeners: [AsyncStream<Element>.Continuation]
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
    deliver { state in
      state.told += 1
      return Delivery(element: make(&state.newest), listeners: Array(state.listeners.values))
    }
  }

  /// Ends all streams, now and later.
  package func close() {
    deliver { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Delivery(listeners: Array(state.listeners.values))
    }
  }

  /// Delivers what `make` makes, after all that came before it.
  ///
  /// Listeners are told outside of the lock, by one caller at a time: two of them would overtake each
  /// other, and a listener would be left with the older element for the newest.
  private func deliver(_ make: (inout State) -> Delivery) {
    let isFirst = state.withLock { state in
      state.deliveries.append(make(&state))
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isFirst else { return }
    while let delivery = nextDelivery() {
      for listener in delivery.listeners {
        if let element = delivery.element { listener.yield(element) } else { listener.finish() }
      }
    }
  }

  private func nextDelivery() -> Delivery? {
    state.withLock { state in
      guard !state.deliveries.isEmpty else {
        state.isDelivering = false
        return nil
      }
      return state.deliveries.removeFirst()
    }
  }
}
