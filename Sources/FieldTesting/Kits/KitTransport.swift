internal import FieldCore

/// The transport of a kit under test, which counts requests, and can be offline or hold responses
/// back.
final class KitTransport: Transport {
  private struct State: Sendable {
    var count = 0
    var notModifiedCount = 0
    var repetitions: [String: Int] = [:]
    var failure: (any Error)?
    var status: Int?
    /// Responses that replace the usual ones.
    var respond: KitConformance.Answer?
    var isConditional = false
    /// The number of responses that are held back, and what releases them; `nil` for none.
    var hold: (arrivals: RaceCount, release: RaceCount)?
  }

  let respond: KitConformance.Answer
  private let state = Lock(State())

  init(_ respond: @escaping KitConformance.Answer) { self.respond = respond }

  var count: Int { state.withLock(\.count) }

  /// The number of responses that said that nothing had changed.
  var notModifiedCount: Int { state.withLock(\.notModifiedCount) }

  /// The number of times the most repeated request was sent.
  var mostRepetitions: Int { state.withLock { $0.repetitions.values.max() ?? 0 } }

  /// Makes every request fail as without a network, or ends that.
  func setOffline(_ isOffline: Bool) {
    setFailure(isOffline ? FieldError(.offline, "There is no network.") : nil)
  }

  /// Makes every request fail, or ends that.
  func setFailure(_ failure: (any Error)?) { state.withLock { $0.failure = failure } }

  /// Replaces the responses, or restores the usual ones.
  func setResponses(_ respond: KitConformance.Answer?) {
    state.withLock { $0.respond = respond }
  }

  /// Makes the source never change: responses have an entity tag, and a request with it gets 304.
  func setConditional() { state.withLock { $0.isConditional = true } }

  func setStatus(_ status: Int) { state.withLock { $0.status = status } }

  /// Holds responses back until ``release()``.
  func hold() { state.withLock { $0.hold = (RaceCount(), RaceCount()) } }

  /// Releases held responses, and later ones.
  func release() { state.withLock { $0.hold.take() }?.release.open() }

  /// Waits until a response is held back.
  func heldAnswer() async { await state.withLock(\.hold)?.arrivals.reach { _ in 1 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (failure, status, hold, replacing, isConditional) = state.withLock { state in
      state.count += 1
      state.repetitions["\(request.method) \(request.url)", default: 0] += 1
      return (state.failure, state.status, state.hold, state.respond, state.isConditional)
    }
    if let failure { throw failure }
    if let status { return TransportResponse(status: status, body: .bytes([])) }
    hold?.arrivals.add(1)
    await hold?.release.reach { _ in 1 }
    try Task.checkCancellation()
    guard isConditional else { return try await (replacing ?? respond)(request) }
    let tag = "\"conformance\""
    if request.fields["If-None-Match"] == tag {
      state.withLock { $0.notModifiedCount += 1 }
      return TransportResponse(status: 304, fields: ["ETag": tag], body: .bytes([]))
    }
    var response = try await respond(request)
    response.head.fields["ETag"] = tag
    return response
  }
}
