public import FieldCore

/// A server in memory that records what it applies, and loses requests and responses as planned.
///
/// ```swift
/// let server = FakeOutboxTarget<Report> { number, _ in number == 1 ? .dropAfter : nil }
/// let outbox = Outbox(store: store, target: server, clock: clock)
/// try await outbox.send()           // applied, but the response is lost
/// try await outbox.send(.now)       // the server is asked, and nothing is sent
/// #expect(server.applied.count == 1)
/// ```
///
/// Its receipts are the numbers of the applications, from 1.
public final class FakeOutboxTarget<Payload: Codable & Equatable & Sendable>: OutboxTarget {
  /// A failure of a request that sends an operation.
  public enum Fault: Sendable {
    /// The request is lost: the connection fails, and the server hasn't seen it.
    case dropBefore
    /// The server applies the operation, and the response is lost.
    case dropAfter
    /// The connection fails, and the request reaches the server after the next one.
    case reorder
    /// The request reaches the server twice.
    case duplicate
    /// The request takes this long, on the server's clock.
    case delay(Duration)
    /// The server refuses the operation for good (422).
    case reject
    /// The server takes nothing for a while (429).
    case rateLimit(retryAfter: Int?)
    /// The token has expired (401).
    case unauthorized
    /// The server has failed, and hasn't applied the operation (503).
    case unavailable
    /// The device is offline.
    case offline
  }

  private struct State {
    var requestCount = 0
    var statusCount = 0
    var applied: [OutboxOperation<Payload>] = []
    var late: [OutboxOperation<Payload>] = []
    var plan: @Sendable (Int, OutboxOperation<Payload>) -> Fault?
  }

  /// A server's guarantee for operations that are sent more than once.
  public let delivery: OutboxDelivery
  private let ignoresRepeatedKeys: Bool
  private let clock: any FieldClock
  private let state: Lock<State>

  /// Creates a server that has applied nothing.
  ///
  /// - Parameters:
  ///   - delivery: What the server promises. Only one with receipts can be asked about operations.
  ///   - ignoresRepeatedKeys: Pass `false` for a server that keeps receipts and applies an operation each
  ///     time that it arrives. One that delivers at least once always does.
  ///   - clock: The clock that delays pass on.
  ///   - plan: Returns the fault that a request meets, by its number from 1 and its operation.
  public init(
    delivery: OutboxDelivery = .receipts(), ignoresRepeatedKeys: Bool = true,
    clock: any FieldClock = .system,
    plan: @escaping @Sendable (_ number: Int, _ operation: OutboxOperation<Payload>) -> Fault? = {
      _, _ in nil
    }
  ) {
    self.delivery = delivery
    self.ignoresRepeatedKeys = ignoresRepeatedKeys && delivery != .atLeastOnce
    self.clock = clock
    state = Lock(State(plan: plan))
  }

  /// The operations that were applied, in order.
  ///
  /// One that was applied twice is there twice.
  public var applied: [OutboxOperation<Payload>] { state.withLock(\.applied) }

  /// The number of requests that sent an operation.
  public var requestCount: Int { state.withLock(\.requestCount) }

  /// The number of requests that asked about an operation.
  public var statusCount: Int { state.withLock(\.statusCount) }

  /// Replaces the plan; the requests are counted from 1 again.
  public func setPlan(
    _ plan: @escaping @Sendable (_ number: Int, _ operation: OutboxOperation<Payload>) -> Fault?
  ) {
    state.withLock { state in
      state.plan = plan
      state.requestCount = 0
    }
  }

  /// Applies an operation, or fails as planned.
  public func send(_ operation: OutboxOperation<Payload>) async throws -> Int {
    let fault = state.withLock { state in
      state.requestCount += 1
      return state.plan(state.requestCount, operation)
    }
    await Task.yield()
    switch fault {
    case nil: return arrive(operation)
    case .delay(let duration):
      try await clock.sleep(for: duration)
      return arrive(operation)
    case .duplicate:
      _ = arrive(operation)
      return arrive(operation)
    case .dropBefore: throw Self.lost
    case .dropAfter:
      _ = arrive(operation)
      throw Self.lost
    case .reorder:
      state.withLock { $0.late.append(operation) }
      throw Self.lost
    case .reject: throw Self.status(422)
    case .rateLimit(let seconds):
      throw Self.status(429, seconds.map { ["Retry-After": "\($0)"] } ?? [:])
    case .unauthorized: throw Self.status(401)
    case .unavailable: throw Self.status(503)
    case .offline: throw FieldError(.offline, "The device is offline on purpose.")
    }
  }

  /// Returns whether the operation's key was applied; unknown if the server keeps no receipts.
  public func status(of operation: OutboxOperation<Payload>) async throws -> OutboxStatus<Int> {
    await Task.yield()
    guard case .receipts = delivery else { return .unknown }
    return state.withLock { state in
      state.statusCount += 1
      let place = state.applied.firstIndex { $0.key == operation.key }
      return place.map { .applied($0 + 1) } ?? .notApplied
    }
  }

  private func arrive(_ operation: OutboxOperation<Payload>) -> Int {
    state.withLock { state in
      let number = apply(operation, &state)
      let late = state.late
      state.late = []
      for operation in late { _ = apply(operation, &state) }
      return number
    }
  }

  private func apply(_ operation: OutboxOperation<Payload>, _ state: inout State) -> Int {
    if ignoresRepeatedKeys,
      let place = state.applied.firstIndex(where: { $0.key == operation.key })
    {
      return place + 1
    }
    state.applied.append(operation)
    return state.applied.count
  }

  private static var lost: FieldError {
    FieldError(.connectionLost, "The connection was lost on purpose.")
  }

  private static func status(_ status: Int, _ fields: HTTPHeaderFields = [:]) -> FieldError {
    FieldError(
      .status, "HTTP \(status) on purpose",
      response: TransportResponse.Head(status: status, fields: fields, url: nil))
  }
}
