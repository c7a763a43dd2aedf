/// An event that a ``LoggingTransport`` reports: a request was started, was answered, or failed.
///
/// An event contains neither a body nor any secret that its ``Redaction`` knows. It doesn't contain
/// an error message either, because messages often quote URLs; the caller has the error itself.
public struct TransportEvent: Sendable, Hashable {
  /// The number of the request, from 1, which all its events share.
  public var exchange: Int
  /// The stable ID of the request's purpose, such as `meteorites.snapshot`.
  public var operation: String
  /// The HTTP method.
  public var method: TransportRequest.Method
  /// The redacted URL, at most 2,000 characters of it.
  public var address: String
  /// The step of the request.
  public var step: Step

  /// Creates an event.
  public init(
    exchange: Int, operation: String, method: TransportRequest.Method, address: String, step: Step
  ) {
    self.exchange = exchange
    self.operation = operation
    self.method = method
    self.address = address
    self.step = step
  }

  /// The steps of a request: the first, followed by one of the others.
  public enum Step: Sendable, Hashable {
    /// The request is about to be sent with these redacted fields.
    case started(fields: HTTPHeaderFields)
    /// A complete response arrived: its status, redacted fields, size in bytes if known, and the
    /// time since the start.
    case answered(status: Int, fields: HTTPHeaderFields, bytes: Int?, duration: Duration)
    /// The request failed: the code of the error (`nil` unless it is a ``FieldError``), whether it
    /// was canceled, and the time since the start.
    case failed(code: FieldError.Code?, wasCancelled: Bool, duration: Duration)
  }

  /// A short label for metrics: `started`, `2xx` and the like, the code of the error, `cancelled`,
  /// or `failed`.
  ///
  /// Labels come from a small set; they never contain a URL, a message, or the number of a request.
  public var label: String {
    switch step {
    case .started: "started"
    case .answered(let status, _, _, _):
      (100...599).contains(status) ? "\(status / 100)xx" : "other"
    case .failed(_, wasCancelled: true, _): "cancelled"
    case .failed(let code?, _, _): String(code.rawValue.prefix(60))
    case .failed: "failed"
    }
  }
}

extension TransportEvent: CustomStringConvertible {
  /// The event on one line, such as
  /// `#7 meteorites.snapshot GET https://data.nasa.gov/… 200, 10891234 bytes, 1.52 s`.
  public var description: String {
    let head = "#\(exchange) \(operation) \(method) \(address)"
    switch step {
    case .started:
      return "\(head) started"
    case .answered(let status, _, let bytes, let duration):
      let size = bytes.map { ", \($0) bytes" } ?? ""
      return "\(head) \(status)\(size), \(Self.seconds(duration))"
    case .failed(_, _, let duration):
      return "\(head) \(label), \(Self.seconds(duration))"
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    "\((duration / .milliseconds(10)).rounded() / 100) s"
  }
}
