import Foundation

/// An event for the browsers.
struct HubEvent: Sendable {
  let name: String
  let json: String

  /// The event as server-sent events have it.
  var wire: String { "event: \(name)\ndata: \(json)\n\n" }
}

/// A type that sends events to all connected browsers, and the newest of each kind to a new one.
final class Hub: Sendable {
  static let clientLimit = 64

  private struct State: Sendable {
    var clients: [Int: AsyncStream<HubEvent>.Continuation] = [:]
    var newest: [String: HubEvent] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Locked(State())

  var clientCount: Int { state.withLock(\.clients.count) }

  /// Sends an event to everyone. Browsers that connect later get it only if it's sticky.
  func send(_ name: String, _ value: some Encodable, isSticky: Bool = true) {
    guard let data = try? JSONEncoder().encode(value) else { return }
    let event = HubEvent(name: name, json: String(decoding: data, as: UTF8.self))
    let clients = state.withLock { state in
      if isSticky { state.newest[name] = event }
      return Array(state.clients.values)
    }
    for client in clients { client.yield(event) }
  }

  /// Returns the events from now on, after the newest of each kind; `nil` if too many browsers are connected.
  func events() -> AsyncStream<HubEvent>? {
    let (stream, continuation) = AsyncStream.makeStream(
      of: HubEvent.self, bufferingPolicy: .bufferingNewest(256))
    let accepted = state.withLock { state -> Bool in
      guard !state.isClosed, state.clients.count < Self.clientLimit else { return false }
      let id = state.next
      state.next += 1
      state.clients[id] = continuation
      for event in state.newest.values.sorted(by: { $0.name < $1.name }) {
        continuation.yield(event)
      }
      continuation.onTermination = { [weak self] _ in self?.remove(id) }
      return true
    }
    return accepted ? stream : nil
  }

  /// Ends all connections.
  func close() {
    let clients = state.withLock { state in
      state.isClosed = true
      return Array(state.clients.values)
    }
    for client in clients { client.finish() }
  }

  private func remove(_ id: Int) { state.withLock { _ = $0.clients.removeValue(forKey: id) } }
}
