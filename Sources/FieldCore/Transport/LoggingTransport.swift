internal import FieldFoundation

/// A transport that reports every request of another transport to a closure.
///
/// ### How to use it
///
/// ```swift
/// let transport = URLSessionTransport().retrying().logging { event in
///   logger.debug("\(event)")
///   counters[event.operation, event.label] += 1
/// }
/// ```
///
/// The closure is called twice per request, before and after it, on the task that sends the
/// request. Keep the closure short, because the request waits for it. Events of concurrent requests
/// are interleaved; use ``TransportEvent/exchange`` to match them.
///
/// A ``Redaction`` hides secrets, and events never contain bodies.
public struct LoggingTransport: Transport {
  private let base: any Transport
  private let redaction: Redaction
  private let clock: any FieldClock
  private let sink: @Sendable (TransportEvent) -> Void
  private let count = Lock(0)

  /// Creates a transport that wraps another one, and measures durations with a clock.
  public init(
    _ base: any Transport,
    redacting redaction: Redaction = .default,
    clock: any FieldClock = .system,
    sink: @escaping @Sendable (TransportEvent) -> Void
  ) {
    self.base = base
    self.redaction = redaction
    self.clock = clock
    self.sink = sink
  }

  /// A Boolean value that indicates whether the wrapped transport retries failed requests.
  public var isRetrying: Bool { base.isRetrying }

  /// Sends the request and reports its outcome.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    var event = TransportEvent(
      exchange: number,
      operation: request.operation,
      method: request.method,
      address: String(redaction.redact(request.url).prefix(2_000)),
      step: .started(fields: redaction.redact(request.fields)))
    sink(event)
    let start = clock.uptime
    do {
      let answer = try await base.send(request)
      event.step = .answered(
        status: answer.status,
        fields: redaction.redact(answer.fields),
        bytes: Self.size(of: answer.body),
        duration: clock.uptime - start)
      sink(event)
      return answer
    } catch {
      event.step = .failed(
        code: (error as? FieldError)?.code,
        wasCancelled: error is CancellationError,
        duration: clock.uptime - start)
      sink(event)
      throw error
    }
  }

  private static func size(of body: TransportBody) -> Int? {
    switch body {
    case .bytes(let bytes): return bytes.count
    case .file(let url):
      // If the size of a file is unknown, a successful request doesn't fail.
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      return (attributes?[.size] as? UInt).map { Int(clamping: $0) }
    }
  }
}

extension Transport {
  /// Returns a transport that reports every request to `sink`, with secrets hidden.
  ///
  /// ```swift
  /// let catalog = MeteoriteCatalog(
  ///   storage: storage, transport: transport.logging { event in print(event) })
  /// ```
  public func logging(
    redacting redaction: Redaction = .default,
    clock: any FieldClock = .system,
    _ sink: @escaping @Sendable (TransportEvent) -> Void
  ) -> LoggingTransport {
    LoggingTransport(self, redacting: redaction, clock: clock, sink: sink)
  }
}
