public import FieldCore

extension LoopbackServer {
  /// Creates a server that serves a portal in chunks, as portals do, for testing a real HTTP
  /// client.
  ///
  /// A fault that cuts the body ends the connection in the middle of a chunk; one that drops the
  /// request or makes it fail ends the connection without a response.
  ///
  /// ```swift
  /// let portal = FakeSODAServer(columns: ["id", "name"], rows: [["id": "1"]])
  /// let loopback = try LoopbackServer(serving: portal)
  /// portal.faults.append(.cutBody(after: 5), onRequest: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - portal: The portal that responds to the requests.
  ///   - port: The port, or 0 for a free one.
  ///   - clock: The clock for the pauses of a ``Delivery``.
  ///   - delivery: A closure that returns how to send the response to a request.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/transport`` if
  ///   the port is in use, or the process has no descriptors left.
  public convenience init(
    serving portal: FakeSODAServer, port: UInt16 = 0, clock: any FieldClock = .system,
    delivery: @escaping @Sendable (TransportRequest) -> Delivery = { _ in .chunked }
  ) throws {
    try self.init(port: port, bodyLimit: 64 << 20, clock: clock) { request in
      var delivery = delivery(request)
      let outcome = try await portal.respond(to: request)
      if let count = outcome.cut { delivery.ending = .close(after: count) }
      return (outcome.response, delivery)
    }
  }
}
