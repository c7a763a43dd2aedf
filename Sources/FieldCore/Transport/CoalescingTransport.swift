/// A transport that combines equal concurrent requests into one.
///
/// ### When to use it
///
/// Use it if several parts of a program may request the same resource at once: two screens that
/// refresh when they appear, or a list that shows one picture twice.
///
/// ### How it decides
///
/// - Requests are equal if every part of them is: method, URL, header fields, timeout, response
///   limit, and operation. The response to one user's credentials never goes to another user.
/// - Only idempotent GET and HEAD requests without a body and with a response in memory are
///   combined. Every other request is passed through unchanged.
/// - All waiting callers get the response or the error. Nothing is kept afterward: the next request
///   is sent again.
/// - A caller that is canceled gets `CancellationError` immediately, while the others keep waiting.
///   When the last caller is canceled, so is the request.
///
/// The request runs in its own task, with the priority and the task-local values of the first
/// caller.
public final class CoalescingTransport: Transport {
  private typealias Waiter = CheckedContinuation<TransportResponse, any Error>

  private struct Flight {
    var number: Int
    var task: Task<Void, Never>
    var waiters: [Int: Waiter]
  }

  private struct State {
    var flights: [TransportRequest: Flight] = [:]
    var nextNumber = 0

    mutating func number() -> Int {
      nextNumber += 1
      return nextNumber
    }
  }

  private let base: any Transport
  private let state = Lock(State())

  /// Creates a transport that wraps another one.
  public init(_ base: any Transport) { self.base = base }

  /// A Boolean value that indicates whether the wrapped transport retries failed requests.
  public var isRetrying: Bool { base.isRetrying }

  /// The number of callers that wait for a response, for tests.
  package var waiterCount: Int {
    state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } }
  }

  /// Sends the request, or waits for the response to an equal one in flight.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard Self.isShareable(request) else { return try await base.send(request) }
    let waiter = state.withLock { $0.number() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if !join(request, waiter: waiter, continuation) {
          continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      leave(request, waiter: waiter)
    }
  }

  private static func isShareable(_ request: TransportRequest) -> Bool {
    (request.method == .get || request.method == .head) && request.isIdempotent
      && request.body == nil && request.destination == .memory
  }

  /// Adds a waiter to the flight of its request, starting one if necessary; returns `false` if the
  /// waiter's task is canceled.
  ///
  /// The task is checked under the lock: cancellation first sets its flag and then calls `leave`,
  /// which waits for the lock, so either this method sees the flag or `leave` sees the waiter.
  private func join(_ request: TransportRequest, waiter: Int, _ continuation: Waiter) -> Bool {
    state.withLock { state in
      if Task.isCancelled { return false }
      if state.flights[request] != nil {
        state.flights[request]?.waiters[waiter] = continuation
      } else {
        let number = state.number()
        let task = Task { await self.fly(request, number: number) }
        state.flights[request] = Flight(
          number: number, task: task, waiters: [waiter: continuation])
      }
      return true
    }
  }

  private func leave(_ request: TransportRequest, waiter: Int) {
    let (continuation, abandoned): (Waiter?, Task<Void, Never>?) = state.withLock { state in
      guard let continuation = state.flights[request]?.waiters.removeValue(forKey: waiter) else {
        return (nil, nil)
      }
      guard state.flights[request]?.waiters.isEmpty == true else { return (continuation, nil) }
      return (continuation, state.flights.removeValue(forKey: request)?.task)
    }
    abandoned?.cancel()
    continuation?.resume(throwing: CancellationError())
  }

  private func fly(_ request: TransportRequest, number: Int) async {
    let outcome: Result<TransportResponse, any Error>
    do {
      outcome = .success(try await base.send(request))
    } catch {
      outcome = .failure(error)
    }
    let waiters = state.withLock { state -> [Int: Waiter] in
      // A flight without waiters is no longer in the table; another may be in its place.
      guard state.flights[request]?.number == number else { return [:] }
      return state.flights.removeValue(forKey: request)?.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(with: outcome) }
  }
}

extension Transport {
  /// Returns a transport that combines equal concurrent requests into one.
  ///
  /// ```swift
  /// let shared = transport.retrying().coalescing()
  /// ```
  public func coalescing() -> CoalescingTransport { CoalescingTransport(self) }
}
