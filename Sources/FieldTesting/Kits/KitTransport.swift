internal import FieldCore

/// The transport of a kit under test, which counts requests, and can be offline or hold responses
/// back.
final class KitTransport: Transport {
  private struct State: Sendable {
    var count = 0
    var repetitions: [String: Int] = [:]
    var failure: FieldError?
    var status: Int?
    var isHeld = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var arrivals: [CheckedContinuation<Void, Never>] = []
  }

  private let respond: @Sendable (TransportRequest) async throws -> TransportResponse
  private let state = Lock(State())

  init(_ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
    self.respond = respond
  }

  /// The number of requests so far.
  var count: Int { state.withLock(\.count) }

  /// The number of times the most repeated request was sent.
  var mostRepetitions: Int { state.withLock { $0.repetitions.values.max() ?? 0 } }

  /// Makes every request fail as without a network, or ends that.
  func setOffline(_ isOffline: Bool) {
    state.withLock { $0.failure = isOffline ? FieldError(.offline, "There is no network.") : nil }
  }

  /// Responds to every request with a status.
  func setStatus(_ status: Int) { state.withLock { $0.status = status } }

  /// Holds responses back until ``release()``.
  func hold() { state.withLock { $0.isHeld = true } }

  /// Releases held responses, and later ones.
  func release() {
    let waiters = state.withLock { state in
      state.isHeld = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until a response is held back.
  func heldAnswer() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.waiters.isEmpty { state.arrivals.append(continuation) }
        return !state.waiters.isEmpty
      }
      if isThere { continuation.resume() }
    }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (failure, status) = state.withLock { state in
      state.count += 1
      state.repetitions["\(request.method) \(request.url)", default: 0] += 1
      return (state.failure, state.status)
    }
    if let failure { throw failure }
    if let status { return TransportResponse(status: status, body: .bytes([])) }
    await withCheckedContinuation { continuation in
      let arrivals = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
        guard state.isHeld else { return nil }
        state.waiters.append(continuation)
        defer { state.arrivals = [] }
        return state.arrivals
      }
      guard let arrivals else { return continuation.resume() }
      for arrival in arrivals { arrival.resume() }
    }
    try Task.checkCancellation()
    return try await respond(request)
  }
}
