public import FieldCore

extension LoopbackServer {
  /// Starts a server that puts a portal on the wire, in chunks as portals do, so that a real HTTP
  /// client can be tested against it.
  ///
  /// A fault that cuts the body ends the connection in the middle of a chunk; one that drops the
  /// request or lets it fail ends the connection without an answer.
  ///
  /// ```swift
  /// let portal = FakeSODAServer(columns: ["id", "name"], rows: [["id": "1"]])
  /// let loopback = try LoopbackServer(serving: portal)
  /// portal.faults.append(.cutBody(after: 5), onRequest: 1)
  /// ```
  ///
  /// - Parameters:
  ///   - portal: What answers the requests.
  ///   - port: The port, or 0 for one that is free.
  ///   - clock: What the pauses of a ``Delivery`` are measured with.
  ///   - delivery: How the answer to a request goes over the wire.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/transport`` when
  ///   the port is taken, or the process has no descriptors left.
  public convenience init(
    serving portal: FakeSODAServer, port: UInt16 = 0, clock: any FieldClock = .system,
    delivery: @escaping @Sendable (TransportRequest) -> Delivery = { _ in .chunked }
  ) throws {
    try self.init(port: port, bodyLimit: 64 << 20, clock: clock) { request in
      var delivery = delivery(request)
      let exchange = try await portal.exchange(request)
      if let count = exchange.cut { delivery.ending = .close(after: count) }
      return (exchange.answer, delivery)
    }
  }
}
