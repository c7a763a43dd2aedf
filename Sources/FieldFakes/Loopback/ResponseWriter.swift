internal import FieldCore
internal import FieldFoundation

/// A writer of one response with its delivery.
struct ResponseWriter: Sendable {
  let socket: Socket
  let clock: any FieldClock
  let delivery: LoopbackServer.Delivery
  let request: ReceivedRequest
  let response: TransportResponse

  /// Writes the response; returns `false` if the connection has ended.
  func write() async throws -> Bool {
    if delivery.delay > .zero { try await clock.sleep(for: delivery.delay) }
    if let raw = delivery.raw {
      try await socket.write(raw)
      try await endRaw()
      return false
    }
    let plain = try response.body.bytes()
    let body = isGzipped ? Gzip.compress(plain) : plain
    let keepsConnection =
      delivery.keepsConnection && request.keepsConnection && framing != .connectionEnd

    let head = try head(body.count, keepsConnection)
    let end = earlyEnd
    if let end, end < 0 {
      try await endEarly()
      return false
    }
    let isBodyWritten = hasBody && request.method != "HEAD"
    try await write(head, isBodyWritten ? body : [], isBodyWritten ? framing : .length, until: end)
    if end != nil {
      try await endEarly()
    } else if !keepsConnection {
      try await socket.finish()
    }
    return keepsConnection && end == nil
  }

  /// Writes the head and the body, up to an early end; the first piece is sent with the head.
  private func write(
    _ head: [UInt8], _ body: [UInt8], _ framing: LoopbackServer.Delivery.Framing, until end: Int?
  ) async throws {
    var waiting = head
    if delivery.bodyDelay > .zero {
      try await flush(&waiting)
      try await clock.sleep(for: delivery.bodyDelay)
    }
    let last = min(end ?? body.count, body.count)
    let size = max(1, delivery.pieceSize ?? (framing == .chunked ? 16 << 10 : 64 << 10))
    var offset = 0
    while offset < last {
      if offset > 0, delivery.pieceSize != nil || waiting.count >= 128 << 10 {
        try await flush(&waiting)
        if delivery.pieceDelay > .zero { try await clock.sleep(for: delivery.pieceDelay) }
      }
      // A truncated chunk announces its full length.
      let pieceEnd = min(offset + size, body.count)
      if framing == .chunked { waiting += "\(String(pieceEnd - offset, radix: 16))\r\n".utf8 }
      waiting += body[offset..<min(pieceEnd, last)]
      if framing == .chunked, pieceEnd <= last { waiting += "\r\n".utf8 }
      offset = pieceEnd
    }
    if framing == .chunked, end == nil { waiting += "0\r\n\r\n".utf8 }
    try await flush(&waiting)
  }

  private func flush(_ bytes: inout [UInt8]) async throws {
    try await socket.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The number of bytes after which the response ends early: -1 before the head, `nil` if it
  /// doesn't.
  private var earlyEnd: Int? {
    switch delivery.ending {
    case .whole: nil
    case .close(let offset), .reset(let offset), .silence(let offset): max(-1, offset ?? -1)
    }
  }

  private func endEarly() async throws {
    switch delivery.ending {
    case .whole: break
    case .close: try await socket.finish()
    case .reset: try socket.reset()
    case .silence: try await socket.drain()
    }
  }

  /// Ends a verbatim response, which may be endless.
  private func endRaw() async throws {
    if let repeated = delivery.repeated, !repeated.isEmpty {
      while true {
        try Task.checkCancellation()
        try await socket.write(repeated)
      }
    }
    if case .silence = delivery.ending {
      try await socket.drain()
    } else {
      try await socket.finish()
    }
  }

  private var framing: LoopbackServer.Delivery.Framing {
    guard hasBody else { return .length }
    return delivery.framing == .chunked && request.isVersion10 ? .connectionEnd : delivery.framing
  }

  private var hasBody: Bool {
    response.status >= 200 && response.status != 204 && response.status != 304
  }

  private var isGzipped: Bool {
    guard hasBody else { return false }
    switch delivery.coding {
    case .plain: return false
    case .gzipAlways: return true
    case .gzip:
      return (request.fields["Accept-Encoding"] ?? "").lowercased().split(separator: ",")
        .contains { coding in
          let parts = coding.split(separator: ";").map { $0.filter { $0 != " " } }
          return (parts.first == "gzip" || parts.first == "*") && !parts.dropFirst().contains("q=0")
        }
    }
  }

  private func head(_ length: Int, _ keepsConnection: Bool) throws -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \r\n"
    for (name, value) in response.fields where !Self.ownFields.contains(name.lowercased()) {
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        throw BadRequest(500, "The transport's response has a field with a control character.")
      }
      text += "\(name): \(value)\r\n"
    }
    if isGzipped { text += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n" }
    if hasBody {
      switch framing {
      case .length: text += "Content-Length: \(length)\r\n"
      case .chunked: text += "Transfer-Encoding: chunked\r\n"
      case .connectionEnd: break
      }
    }
    if !keepsConnection { text += "Connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// The fields about the connection, which the server sets itself.
  private static let ownFields: Set<String> = [
    "connection", "content-encoding", "content-length", "keep-alive", "trailer",
    "transfer-encoding", "upgrade",
  ]
}
