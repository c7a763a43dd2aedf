internal import FieldCore
internal import FieldFoundation

/// What the server does with a connection.
struct LoopbackService: Sendable {
  let url: URL
  let bodyLimit: Int
  let clock: any FieldClock
  /// What answers, and how that goes over the wire.
  let exchange:
    @Sendable (TransportRequest) async throws -> (TransportResponse, LoopbackServer.Delivery)

  /// Serves the requests of a connection until one side ends it.
  func serve(_ socket: Socket) async {
    var reader = RequestReader(socket, bodyLimit: bodyLimit)
    // Whatever ends a connection is seen by the client, and is nobody else's business.
    do {
      while let received = try await reader.next() {
        guard try await answer(received, on: socket) else { return }
      }
    } catch let bad as BadRequest {
      try? await refuse(bad, on: socket)
    } catch {}
  }

  /// Answers a request; false when the connection has come to its end.
  private func answer(_ received: ReceivedRequest, on socket: Socket) async throws -> Bool {
    let (answer, delivery) = try await exchange(try request(received))
    let writer = AnswerWriter(socket: socket, clock: clock, delivery: delivery, request: received)
    return try await writer.write(answer)
  }

  private func request(_ received: ReceivedRequest) throws -> TransportRequest {
    guard let url = URL(string: url.absoluteString + received.target) else {
      throw BadRequest(400, "the target is no path")
    }
    return TransportRequest(
      TransportRequest.Method(rawValue: received.method),
      url: url,
      fields: received.fields,
      body: received.body.map(TransportBody.bytes),
      operation: received.fields["X-Operation"] ?? "loopback")
  }

  private func refuse(_ bad: BadRequest, on socket: Socket) async throws {
    let text = bad.reason + "\n"
    let head =
      "HTTP/1.1 \(bad.status) \r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
    try await socket.write(Array((head + "Connection: close\r\n\r\n" + text).utf8))
    try await socket.finish()
  }
}
