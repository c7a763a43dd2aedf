/// A sender of elements to all listeners.
///
/// Slow listeners skip intermediate elements, but never the newest.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    var lastListener = 0
    var sentCount = 0
    var newest: Element?
    var isClosed = false
    /// The elements that are still to be sent, in order.
    var deliveries: [Delivery] = []
    /// A Boolean value that indicates whether a caller is sending.
    var isDelivering = false
  }

  private struct Delivery: Sendable {
    /// The element to send; `nil` ends the streams.
    var element: Element?
    var listeners: [AsyncStream<Element>.Continuation]
  }

  /// The maximum number of elements that wait for a slow listener.
  private let buffer: Int
  private let state = Lock(State())

  package init(buffer: Int = 1) { self.buffer = buffer }

  /// The element that a new listener receives first.
  package var newest: Element? { state.withLock(\.newest) }

  /// The number of elements sent.
  package var count: Int { state.withLock(\.sentCount) }

  /// Starts to listen, beginning with the newest element if it was sent after `count` others.
  ///
  /// - Parameter ended: A closure that is called once when no one listens to the stream anymore.
  /// - Returns: The stream and its number, or `nil` if the broadcast has been closed.
  package func listen(
    after count: Int = 0, ended: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> (number: Int, stream: AsyncStream<Element>)? {
    let (stream, listener) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(buffer))
    let number: Int? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      // No one is waiting for the stream yet, so this only fills its buffer.
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

  /// Sends an element, which new listeners receive first from now on.
  package func send(_ element: Element) {
    send { newest in
      newest = element
      return element
    }
  }

  /// Sends the element that a closure returns, which may also change the element for new listeners.
  package func send(_ make: (inout Element?) -> Element) {
    deliver { state in
      state.sentCount += 1
      let element = make(&state.newest)
      guard !state.listeners.isEmpty else { return nil }
      return Delivery(element: element, listeners: Array(state.listeners.values))
    }
  }

  /// Ends all streams, including future ones.
  package func close() {
    deliver { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Delivery(listeners: Array(state.listeners.values))
    }
  }

  /// Delivers what `make` returns, after all earlier elements.
  ///
  /// The delivery is outside of the lock, by one caller at a time: two could overtake each other
  /// and leave a listener with the older element.
  private func deliver(_ make: (inout State) -> Delivery?) {
    let isFirst = state.withLock { state in
      guard let delivery = make(&state) else { return false }
      state.deliveries.append(delivery)
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

extension Broadcast<Void> {
  /// Signals all listeners, compiled here so that a frequent signal isn't sent by generic code.
  package func send() { send(()) }
}
