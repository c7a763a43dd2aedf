/// Sends elements to all listeners.
///
/// A slow listener misses elements in between, but never the newest.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var lastListener = 0
    var sentCount = 0
    var newest: Element?
    var isClosed = false
    /// What is still to be sent, in order.
    var deliveries: [Delivery] = []
    /// Whether a caller is sending.
    var isDelivering = false
  }

  private struct Delivery: Sendable {
    /// What is sent; nil ends the listeners.
    var element: Element?
    var listeners: [AsyncStream<Element>.Continuation]
  }

  /// How many elements wait for a slow listener at the most.
  private let buffer: Int
  private let state = Lock(State())

  package init(buffer: Int = 1) { self.buffer = buffer }

  /// What a new listener gets first.
  package var newest: Element? { state.withLock(\.newest) }

  /// The number of elements sent.
  package var count: Int { state.withLock(\.sentCount) }

  /// Starts to listen. The newest element comes first, if it was sent after `count` others.
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
      if state.sentCount > count, let newest = state.newest { listener.yield(newest) }
      return state.lastListener
    }
    guard let number else { return nil }
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
      ended(number)
    }
    return (number, stream)
  }

  /// Sends an element, which a new listener gets first from now on.
  package func send(_ element: Element) {
    send { newest in
      newest = element
      return element
    }
  }

  /// Sends what `make` makes of what a new listener gets first, which it may change.
  package func send(_ make: (inout Element?) -> Element) {
    deliver { state in
      state.sentCount += 1
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
  /// It is delivered outside of the lock, by one caller at a time: two would overtake each other, and a
  /// listener would be left with the older element.
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
