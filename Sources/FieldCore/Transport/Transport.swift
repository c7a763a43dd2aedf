internal import FieldFoundation

/// A type that sends requests: the only interface between the package and the network.
///
/// ### When to use it
///
/// Every kit takes a transport. Apps and tools use `URLSessionTransport` of `FieldURLSession`;
/// write your own to use another HTTP client, or to serve recorded responses.
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
/// - Return every complete response, whatever its status: 404 and 500 are responses.
/// - Throw ``FieldError`` with a `transport.…` code if there is none: ``FieldError/Code/offline``,
///   ``FieldError/Code/timeout``, ``FieldError/Code/bodyCut``, and so on. Your own errors are
///   passed on as `underlying`.
/// - Throw `CancellationError` soon after the task is canceled.
/// - Respect the request's timeout, response limit, and destination, and return decoded bytes: a
///   gzipped body is returned uncompressed.
/// - When you follow a redirect, never send credentials to another host, and don't follow redirects
///   if the request says so.
/// - Don't retry: that is the job of a decorator. <doc:Writing-a-transport> states the one exception,
///   which concerns kept connections.
///
/// ### How to compose it
///
/// A decorator is a transport that wraps another transport. The last one in the chain sees the
/// request first:
///
/// ```swift
/// let transport = URLSessionTransport().retrying().coalescing().logging { print($0) }
/// ```
///
/// ### How to test it
///
/// `TransportConformance.run` of `FieldTesting` checks your transport against a server on the
/// loopback interface. To test code that uses a transport, pass a `StubTransport`.
public protocol Transport: Sendable {
  /// Sends the request and returns the complete response.
  ///
  /// ```swift
  /// let request = TransportRequest(url: url, operation: "trees.rows")
  /// let response = try await transport.send(request)
  /// print(response.status, response.fields)
  /// ```
  func send(_ request: TransportRequest) async throws -> TransportResponse

  /// A Boolean value that indicates whether the transport itself retries failed requests.
  ///
  /// Defaults to `false`. Retries don't multiply: ``retrying(_:clock:random:)`` leaves such a
  /// transport as it is, so a kit doesn't retry what your transport retries. A decorator returns
  /// the value of the transport that it wraps.
  var isRetrying: Bool { get }
}

extension Transport {
  /// A Boolean value that indicates whether the transport itself retries failed requests, by
  /// default `false`.
  public var isRetrying: Bool { false }
}

// MARK: - Reflection

// What `dump`, interpolation, and debuggers show of requests and responses: no bodies, and none of the
// secrets that ``Redaction/default`` hides.

extension TransportRequest: CustomStringConvertible, CustomReflectable {
  /// The operation, the method, and the redacted URL.
  public var description: String {
    "\(operation) \(method) \(Redaction.default.redact(url))"
  }

  /// The request without its body and without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "operation": operation, "method": method.rawValue,
        "url": Redaction.default.redact(url), "fields": fields, "body": body as Any,
        "timeout": timeout,
      ], displayStyle: .struct)
  }
}

extension TransportResponse.Head: CustomStringConvertible, CustomReflectable {
  /// The status, the redacted URL, and the redacted fields.
  public var description: String {
    let address = url.map { " \(Redaction.default.redact($0))" } ?? ""
    return "\(status)\(address) \(fields)"
  }

  /// The head without secrets.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": status, "url": url.map { Redaction.default.redact($0) } as Any, "fields": fields,
      ], displayStyle: .struct)
  }
}

extension TransportBody: CustomStringConvertible, CustomReflectable {
  /// The number of bytes, or the file.
  public var description: String {
    switch self {
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .file(let file): "file \(file.path)"
    }
  }

  /// The body without its bytes.
  public var customMirror: Mirror { Mirror(self, children: ["content": description]) }
}
