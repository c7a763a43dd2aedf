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
  private struct Flight: Sendable {
    let shared = SingleFlight<TransportResponse>()
    var users = 0
  }

  private final class Flights: Sendable {
    let byRequest = Lock<[TransportRequest: Flight]>([:])
  }

  private let base: any Transport
  // Every kit has a transport, and the first dictionary by request takes a tenth of a millisecond in a new process.
  private let flights = Once { Flights() }

  /// Creates a transport that wraps another one.
  public init(_ base: any Transport) { self.base = base }

  /// A Boolean value that indicates whether the wrapped transport retries failed requests.
  public var isRetrying: Bool { base.isRetrying }

  /// The number of callers that wait for a response, for tests.
  package var waiterCount: Int {
    flights.value.byRequest.withLock { $0.values.reduce(0) { $0 + $1.shared.waiterCount } }
  }

  /// Sends the request, or waits for the response to an equal one in flight.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard Self.isShareable(request) else { return try await base.send(request) }
    let shared = flights.value.byRequest.withLock { flights in
      var flight = flights[request] ?? Flight()
      flight.users += 1
      flights[request] = flight
      return flight.shared
    }
    defer {
      flights.value.byRequest.withLock { flights in
        flights[request]?.users -= 1
        if flights[request]?.users == 0 { flights[request] = nil }
      }
    }
    return try await shared.run { [base] in try await base.send(request) }
  }

  private static func isShareable(_ request: TransportRequest) -> Bool {
    (request.method == .get || request.method == .head) && request.isIdempotent
      && request.body == nil && request.destination == .memory
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
