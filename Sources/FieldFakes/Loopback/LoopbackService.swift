internal import FieldCore
internal import FieldFoundation

/// The service of a connection.
struct LoopbackService: Sendable {
  let url: URL
  let bodyLimit: Int
  let clock: any FieldClock
  let respond:
    @Sendable (TransportRequest) async throws -> (TransportResponse, LoopbackServer.Delivery)

  /// Serves the requests of a connection until one side ends it.
  func serve(_ socket: Socket) async {
    var reader = RequestReader(socket, bodyLimit: bodyLimit)
    // The client sees whatever ends a connection; no one else needs it.
    do {
      while let received = try await reader.next() {
        let (response, delivery) = try await respond(try request(received))
        let writer = ResponseWriter(
          socket: socket, clock: clock, delivery: delivery, request: received, response: response)
        guard try await writer.write() else { return }
      }
    } catch let bad as BadRequest {
      try? await refuse(bad, on: socket)
    } catch {}
  }

  private func request(_ received: ReceivedRequest) throws -> TransportRequest {
    guard let url = URL(string: url.absoluteString + received.target) else {
      throw BadRequest(400, "the target isn't a path")
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
