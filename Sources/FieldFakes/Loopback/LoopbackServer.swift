public import FieldCore
public import FieldFoundation

/// A web server on the loopback interface that answers with any transport.
///
/// It is how a real HTTP client is tested without a network: the client sends to ``url``, and the
/// request reaches the transport as an ``/FieldCore/TransportRequest``, with the operation of its field
/// `X-Operation`, or `loopback`. How the answer goes over the wire is up to a ``Delivery``: whole,
/// in chunks, gzipped, slowly, cut off, or never.
///
/// ```swift
/// let server = try LoopbackServer(serving: fake) { request in
///   request.url.path == "/slow" ? .slow(bytes: 100, every: .milliseconds(50)) : .whole
/// }
/// let answer = try await URLSessionTransport().send(
///   TransportRequest(url: server.url.appending(path: "animals"), operation: "zoo.animals"))
/// await server.stop()
/// ```
///
/// It speaks HTTP/1.1 with kept connections to 127.0.0.1 alone, and listens as soon as it is made.
/// Any number of servers run beside each other. A request that is no HTTP is answered with 400, one
/// that is too large with 413 or 431. A transport that throws closes the connection without an
/// answer. The content codings of the transport's answer are taken off, since its body is plain by
/// contract.
///
/// A server that nothing refers to any more stops by itself; ``stop()`` waits for it.
public final class LoopbackServer: Sendable {
  /// The address of the server, such as `http://127.0.0.1:49321`.
  public let url: URL
  private let listener: Listener
  private let task: Task<Void, Never>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - transport: What answers the requests.
  ///   - port: The port, or 0 for one that is free.
  ///   - bodyLimit: How many bytes of body a request may have; 64 MiB by default.
  ///   - clock: What the pauses of a ``Delivery`` are measured with.
  ///   - delivery: How the answer to a request goes over the wire.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/transport`` when
  ///   the port is taken, or the process has no descriptors left.
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

  /// Starts a server whose answers come together with the way they are delivered.
  init(
    port: UInt16, bodyLimit: Int, clock: any FieldClock,
    exchange: @escaping @Sendable (TransportRequest) async throws -> (TransportResponse, Delivery)
  ) throws {
    let listener = try Listener(port: port)
    guard let url = URL(string: "http://127.0.0.1:\(listener.port)") else {
      throw FieldError(.transport, "the port \(listener.port) makes no address")
    }
    let service = LoopbackService(
      url: url, bodyLimit: bodyLimit, clock: clock, exchange: exchange)
    self.listener = listener
    self.url = url
    // Owned by the server, which cancels it at the latest when it goes away; hence no `self` in it.
    task = Task(executorPreference: LoopbackExecutor()) {
      await listener.run { socket in await service.serve(socket) }
    }
  }

  deinit {
    task.cancel()
  }

  /// Stops the server: connections are closed, requests under way are cancelled, and nothing of it
  /// is left when this returns.
  public func stop() async {
    task.cancel()
    await task.value
  }

  /// How many connections have been made to the server.
  package var connectionCount: Int { listener.connectionCount }
}
