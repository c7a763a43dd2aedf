public import FieldCore
internal import FieldFoundation

/// A transport that makes requests of another transport fail according to plans.
///
/// ```swift
/// let faults = FaultTransport(stub, .first(2, .drop()), .every(5, .latency(.seconds(3))), clock: clock)
/// let report = try await catalog(over: faults.retrying(clock: clock)).refresh()
/// #expect(faults.requestCount == 3)
/// ```
///
/// If several plans apply to a request, latencies add up, then the first fault that stops the
/// request applies, and then those that change the response.
public final class FaultTransport: Transport {
  private struct State {
    var requests: [TransportRequest] = []
    var seen: [Int]
    var faults = 0
    var late: [TransportRequest] = []
  }

  private let base: any Transport
  private let plans: [FaultPlan]
  private let clock: any FieldClock
  private let state: Lock<State>

  /// Creates a transport that wraps another one, with latencies measured on a clock.
  public init(_ base: any Transport, _ plans: FaultPlan..., clock: any FieldClock = .system) {
    self.base = base
    self.plans = plans
    self.clock = clock
    state = Lock(State(seen: plans.map { _ in 0 }))
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// The number of received requests.
  public var requestCount: Int { state.withLock(\.requests.count) }

  /// The number of faults that occurred.
  public var faultCount: Int { state.withLock(\.faults) }

  /// Sends the request, unless a plan prevents it.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let faults = faults(for: request)
    for case .latency(let duration) in faults { try await clock.sleep(for: duration) }
    try Task.checkCancellation()
    for fault in faults {
      switch fault {
      case .failure(let error): throw error
      case .response(let response): return try response.delivered(for: request)
      case .silence: try await Fault.waitForCancellation()
      case .late:
        state.withLock { $0.late.append(request) }
        throw FieldError(.connectionLost, "The request was delayed on purpose.")
      case .duplicate: _ = try await base.send(request)
      default: break
      }
    }
    var response = try await base.send(request)
    try await sendLate()
    for fault in faults {
      switch fault {
      case .lostResponse(let error):
        try Self.removeFile(of: response)
        throw error
      case .cutBody(let count):
        guard try response.body.bytes().count > count else { break }
        try Self.removeFile(of: response)
        throw FieldError(.bodyCut, "The body was cut after \(count) bytes on purpose.")
      case .truncatedBody(let count):
        response.body = .bytes(Array(try response.body.bytes().prefix(count)))
        response = try response.delivered(for: request)
      default: break
      }
    }
    return response
  }

  /// Sends the requests that were held up, and discards the responses.
  private func sendLate() async throws {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    for request in late { _ = try await base.send(request) }
  }

  private func faults(for request: TransportRequest) -> [Fault.Kind] {
    let concerned = plans.indices.filter { plans[$0].isConcerned(request) }
    let numbers = state.withLock { state in
      state.requests.append(request)
      for index in concerned { state.seen[index] += 1 }
      return state.seen
    }
    let faults = concerned.compactMap { plans[$0].faultFor(numbers[$0])?.kind }
    state.withLock { $0.faults += faults.count }
    return faults
  }

  /// Removes the file of a response, so that a failed request leaves nothing at its destination.
  private static func removeFile(of response: TransportResponse) throws {
    guard case .file(let url) = response.body else { return }
    try FileManager.default.removeItem(at: url)
  }
}
