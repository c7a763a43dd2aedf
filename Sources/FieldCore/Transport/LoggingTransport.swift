internal import FieldFoundation

/// A transport that tells a closure about every exchange of another transport.
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
/// The closure is called twice an exchange, before it and after it, on the task that sends. Keep it
/// short: the exchange waits for it. Events of exchanges that run at the same time mix; their
/// ``TransportEvent/exchange`` tells them apart.
///
/// Secrets are hidden by a ``Redaction``, and bodies are never part of an event.
public struct LoggingTransport: Transport {
  private let base: any Transport
  private let redaction: Redaction
  private let clock: any FieldClock
  private let sink: @Sendable (TransportEvent) -> Void
  private let count = Lock(0)

  /// Wraps a transport; `clock` measures the durations.
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

  /// Whether the wrapped transport sends failed requests again.
  public var isRetrying: Bool { base.isRetrying }

  /// Sends the request and tells what became of it.
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
      // Not knowing the size of a file is no reason to fail an exchange that went well.
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      return (attributes?[.size] as? UInt).map { Int(clamping: $0) }
    }
  }
}

extension Transport {
  /// This transport, with every exchange told to `sink`, secrets hidden.
  public func logging(
    redacting redaction: Redaction = .default,
    clock: any FieldClock = .system,
    _ sink: @escaping @Sendable (TransportEvent) -> Void
  ) -> LoggingTransport {
    LoggingTransport(self, redacting: redaction, clock: clock, sink: sink)
  }
}
