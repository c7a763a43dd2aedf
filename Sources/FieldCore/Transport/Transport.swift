/// Sends a request and returns the answer: the one seam between the package and the network.
///
/// ### When to use it
///
/// Every kit takes a transport. `URLSessionTransport` of `FieldURLSession` is the one for apps and
/// tools; write your own to use another HTTP client, or to serve recorded answers.
///
/// ### How to use it
///
/// ```swift
/// let answer = try await transport.send(TransportRequest(url: url, operation: "meteorites.snapshot"))
/// print(answer.status, try answer.body.bytes().count)
/// ```
///
/// ### How to implement it
///
/// - Return every answer that arrived whole, whatever its status: 404 and 500 are answers.
/// - Throw ``FieldError`` with a `transport.…` code when none arrived: ``FieldError/Code/offline``,
///   ``FieldError/Code/timeout``, ``FieldError/Code/bodyCut`` and so on. Another error of yours is
///   passed on as `underlying`.
/// - Throw `CancellationError` soon after the task is cancelled.
/// - Keep to the request's timeout, response limit and destination, and give decoded bytes: a body
///   that came gzipped is returned plain.
/// - Never send credentials on to another host when you follow a redirect, and follow none when the
///   request says so.
/// - Do not retry: that is a decorator's work.
///
/// ### How to compose it
///
/// A decorator is a transport that wraps a transport. The last written sees the request first:
///
/// ```swift
/// let transport = URLSessionTransport().retrying().coalescing().logging { print($0) }
/// ```
///
/// ### How to test it
///
/// `TransportConformance.run` of `FieldTesting` checks a transport of yours against a server on the
/// loopback interface. To test code that uses a transport, pass a `StubTransport`.
public protocol Transport: Sendable {
  /// Sends the request and returns the whole answer.
  func send(_ request: TransportRequest) async throws -> TransportResponse

  /// A Boolean value that indicates whether the transport itself sends a failed request again.
  ///
  /// Retries don't multiply: ``retrying(_:clock:random:)`` leaves such a transport as it is, so a kit
  /// doesn't retry what your transport retries. A decorator returns the value of what it wraps. Defaults to
  /// `false`.
  var isRetrying: Bool { get }
}

extension Transport {
  /// `false`; a transport sends a request once.
  public var isRetrying: Bool { false }
}
