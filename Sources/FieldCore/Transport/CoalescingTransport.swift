/// A transport that makes one exchange of equal requests that are under way at the same time.
///
/// ### When to use it
///
/// Where several parts of a program may ask for the same thing at once: two screens that refresh on
/// appearing, a list that shows one picture twice.
///
/// ### How it decides
///
/// - Requests are equal when every part of them is: method, address, header fields, timeout,
///   response limit and operation. Answers to one user's credentials never go to another's.
/// - Only repeatable GET and HEAD requests without a body and with an answer in memory are joined.
///   Every other request goes through untouched.
/// - All who wait for an exchange get its answer, or its error. Nothing is kept after it: the next
///   request starts anew.
/// - One who is cancelled gets `CancellationError` at once, and the others wait on. When all have
///   gone, the exchange is cancelled.
///
/// The exchange runs in a task of its own, with the priority and the task-local values of the caller
/// that began it.
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

  /// Wraps a transport.
  public init(_ base: any Transport) { self.base = base }

  /// Whether the wrapped transport sends failed requests again.
  public var isRetrying: Bool { base.isRetrying }

  /// How many wait for an exchange, for tests.
  package var waiterCount: Int {
    state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } }
  }

  /// Sends the request, or waits for an equal one that is under way.
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

  /// Adds a waiter to the flight of its request, which begins when there is none; false when the
  /// waiter's task is cancelled.
  ///
  /// The task is asked under the lock: cancelling sets its flag first and then calls `leave`, which
  /// waits for the lock, so that either this sees the flag or `leave` sees the waiter.
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
      // A flight that all have left is not in the table any more; another may be in its place.
      guard state.flights[request]?.number == number else { return [:] }
      return state.flights.removeValue(forKey: request)?.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(with: outcome) }
  }
}

extension Transport {
  /// This transport, with one exchange for equal requests that are under way at the same time.
  public func coalescing() -> CoalescingTransport { CoalescingTransport(self) }
}
