/// What a ``LoggingTransport`` tells: an exchange began, was answered, or failed.
///
/// An event has no body and no secret in it, as far as its ``Redaction`` knows them. It has no
/// error message either, since messages tend to quote addresses; the caller has the error itself.
public struct TransportEvent: Sendable, Hashable {
  /// The number of the exchange, from 1, the same in its events.
  public var exchange: Int
  /// The stable id of what the request is for, such as `meteorites.snapshot`.
  public var operation: String
  /// The method.
  public var method: TransportRequest.Method
  /// The address, redacted, at most 2,000 characters of it.
  public var address: String
  /// What happened.
  public var step: Step

  /// Makes an event.
  public init(
    exchange: Int, operation: String, method: TransportRequest.Method, address: String, step: Step
  ) {
    self.exchange = exchange
    self.operation = operation
    self.method = method
    self.address = address
    self.step = step
  }

  /// The steps of an exchange: the first, and one of the other two.
  public enum Step: Sendable, Hashable {
    /// The request is about to be sent, with these fields, redacted.
    case started(fields: HTTPHeaderFields)
    /// An answer came whole: its status, its fields, redacted, the bytes of its body when they are
    /// known, and the time since the start.
    case answered(status: Int, fields: HTTPHeaderFields, bytes: Int?, duration: Duration)
    /// No answer came: the code of the error, nil when it is no ``FieldError``, and the time since
    /// the start. A cancelled exchange has `wasCancelled`.
    case failed(code: FieldError.Code?, wasCancelled: Bool, duration: Duration)
  }

  /// A short name of what happened, for metrics: `started`, `2xx` and the like, the code of the
  /// error, `cancelled` or `failed`.
  ///
  /// Labels come from a small set; no address, message or number of a request is ever in them.
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
