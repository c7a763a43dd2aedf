public import FieldCore
public import FieldFoundation

/// A web server on the loopback interface that serves any transport.
///
/// Use it to test a real HTTP client without a network: the client sends to ``url``, and the
/// request reaches the transport as a ``/FieldCore/TransportRequest``, with the operation of its
/// field `X-Operation`, or `loopback`. A ``Delivery`` determines how the response is sent:
/// completely, in chunks, gzipped, slowly, truncated, or never.
///
/// ```swift
/// let server = try LoopbackServer(serving: fake) { request in
///   request.url.path == "/slow" ? .slow(bytes: 100, every: .milliseconds(50)) : .whole
/// }
/// let response = try await URLSessionTransport().send(
///   TransportRequest(url: server.url.appending(path: "animals"), operation: "zoo.animals"))
/// await server.stop()
/// ```
///
/// The server speaks HTTP/1.1 with persistent connections on 127.0.0.1 only, and listens as soon as
/// it is created. You can run any number of servers in parallel. The response to a request that
/// isn't HTTP is 400, and to one that is too large 413 or 431. If the transport throws, the
/// connection is closed without a response. Content encodings of the transport's response are
/// removed, because its body is decoded by contract.
///
/// A server stops when nothing refers to it anymore; ``stop()`` stops it now and waits for the end.
public final class LoopbackServer: Sendable {
  /// The URL of the server, such as `http://127.0.0.1:49321`.
  public let url: URL
  private let listener: Listener
  private let task: Task<Void, Never>

  /// Creates a server and starts it.
  ///
  /// - Parameters:
  ///   - transport: The transport that responds to the requests.
  ///   - port: The port, or 0 for a free one.
  ///   - bodyLimit: The maximum size of a request's body, in bytes. Defaults to 64 MiB.
  ///   - clock: The clock for the pauses of a ``Delivery``.
  ///   - delivery: A closure that returns how to send the response to a request.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/transport`` if
  ///   the port is in use, or the process has no descriptors left.
  public convenience init(
    serving transport: any Transport,
    port: UInt16 = 0,
    bodyLimit: Int = 64 << 20,
    clock: any FieldClock = .system,
    delivery: @escaping @Sendable (TransportRequest) -> Delivery = { _ in .whole }
  ) throws {
    try self.init(port: port, bodyLimit: bodyLimit, clock: clock) { request in
      let delivery = delivery(request)
      return (try await transport.send(request), delivery)
    }
  }

  /// Starts a server whose responses include their delivery.
  init(
    port: UInt16, bodyLimit: Int, clock: any FieldClock,
    respond: @escaping @Sendable (TransportRequest) async throws -> (TransportResponse, Delivery)
  ) throws {
    let listener = try Listener(port: port)
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
      throw FieldError(.transport, "The port \(listener.port) doesn't form a URL.")
    }
    let service = LoopbackService(url: url, bodyLimit: bodyLimit, clock: clock, respond: respond)
    self.listener = listener
    self.url = url
    // The server owns the task and cancels it in its deinitializer; hence no `self` in it.
    task = Task(executorPreference: LoopbackExecutor()) {
      await listener.run { socket in await service.serve(socket) }
    }
  }

  deinit { task.cancel() }

  /// Stops the server, closes connections, and cancels requests in flight; nothing is left when it
  /// returns.
  public func stop() async {
    task.cancel()
    await task.value
  }

  /// The number of connections that have been made to the server.
  package var connectionCount: Int { listener.connectionCount }
}

// MARK: - Delivery

extension LoopbackServer {
  /// The way in which the response to a request is sent.
  ///
  /// The shorthands cover most tests; the properties can be combined.
  ///
  /// ```swift
  /// var delivery = LoopbackServer.Delivery.gzip
  /// delivery.framing = .chunked
  /// delivery.ending = .close(after: 1_000)
  /// ```
  public struct Delivery: Sendable, Hashable {
    /// The way in which the end of the body is marked.
    public var framing = Framing.length
    /// The encoding of the body.
    public var coding = Coding.plain
    /// The time before the head is sent.
    public var delay = Duration.zero
    /// The time between the head and the body.
    public var bodyDelay = Duration.zero
    /// The number of bytes of the body to send at once; `nil` for all of them, or 16 KiB per chunk.
    public var pieceSize: Int?
    /// The time between two pieces of the body.
    public var pieceDelay = Duration.zero
    /// The end of the response.
    public var ending = Ending.whole
    /// A Boolean value that indicates whether the connection is kept for the next request.
    public var keepsConnection = true

    /// The bytes to send verbatim instead of the response, such as an invalid one, before the
    /// connection is closed; with an ``ending-swift.property`` of silence, it stays open.
    public var raw: [UInt8]?
    /// The bytes to send over and over after ``raw``, until the client leaves; `nil` for none.
    public var repeated: [UInt8]?

    /// Creates the delivery of a complete, unencoded response with its length.
    public init() {}

    /// The way in which the end of the body is marked.
    public enum Framing: Sendable, Hashable {
      /// By `Content-Length`.
      case length
      /// By chunks (RFC 9112, section 7.1), or for a client of HTTP/1.0, by the end of the
      /// connection.
      case chunked
      /// By the end of the connection.
      case connectionEnd
    }

    /// The encoding of the body.
    public enum Coding: Sendable, Hashable {
      /// No encoding.
      case plain
      /// With gzip, if the request accepts it.
      case gzip
      /// With gzip, whether or not the request accepts it.
      case gzipAlways
    }

    /// The end of a response.
    ///
    /// Bytes are those of the body as sent, after encoding and without the framing of chunks; `nil`
    /// is before the head.
    public enum Ending: Sendable, Hashable {
      /// The complete response is sent.
      case whole
      /// The connection is closed in order after a number of bytes.
      case close(after: Int?)
      /// The connection is reset after a number of bytes.
      case reset(after: Int?)
      /// Nothing more is sent after a number of bytes, until the client leaves or the server stops.
      case silence(after: Int?)
    }

    /// A complete, unencoded response with its length.
    public static var whole: Self { Self() }
    /// A response in chunks.
    public static var chunked: Self { with { $0.framing = .chunked } }
    /// A gzipped response, if the request accepts it.
    public static var gzip: Self { with { $0.coding = .gzip } }
    /// No response: the request is accepted, and nothing is sent.
    public static var never: Self { with { $0.ending = .silence(after: nil) } }

    /// Returns a delivery in pieces of a number of bytes, with a pause before each but the first.
    public static func slow(bytes: Int, every pause: Duration) -> Self {
      with {
        $0.pieceSize = bytes
        $0.pieceDelay = pause
      }
    }

    /// Returns a delivery of the complete response after a delay.
    public static func delayed(_ delay: Duration) -> Self { with { $0.delay = delay } }

    /// Returns a delivery that ends after a number of bytes of the body; `nil` is before the head.
    public static func cut(after bytes: Int?) -> Self { with { $0.ending = .close(after: bytes) } }

    /// Returns a delivery of a text instead of the response, head included, after which the
    /// connection is closed.
    public static func raw(_ text: String) -> Self { with { $0.raw = Array(text.utf8) } }

    private static func with(_ change: (inout Self) -> Void) -> Self {
      var delivery = Self()
      change(&delivery)
      return delivery
    }
  }
}
