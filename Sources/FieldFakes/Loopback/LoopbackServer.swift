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
