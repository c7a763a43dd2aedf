internal import FieldCore

/// A reader of requests from a connection, one after another.
///
/// Bytes of the next request stay in the buffer, so a client may send several requests without
/// waiting for responses. The buffer never holds more than a head or a body, and one read.
struct RequestReader {
  private static let headLimit = 64 << 10
  private let socket: Socket
  private let bodyLimit: Int
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ socket: Socket, bodyLimit: Int) {
    self.socket = socket
    self.bodyLimit = bodyLimit
  }

  /// Returns the next request, or `nil` if the client has closed between two.
  mutating func next() async throws -> ReceivedRequest? {
    guard let lines = try await head() else { return nil }
    var request = try ReceivedRequest(lines[...])
    if case .length(let length) = request.framing, length > bodyLimit {
      throw BadRequest(413, "the body is too large")
    }
    // This is always sent on request; the body is then already on its way, or nearly.
    if request.framing != .none, request.fields["Expect"]?.lowercased() == "100-continue" {
      try await socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    switch request.framing {
    case .none: break
    case .length(let length): request.body = try await bytes(length)
    case .chunked: request.body = try await chunks()
    }
    return request
  }

  /// Returns the lines up to an empty one, without it, or `nil` if nothing was received.
  private mutating func head() async throws -> [[UInt8]]? {
    // A client may send empty lines before a request (RFC 9112, section 2.2).
    while true {
      while start < buffer.count, buffer[start] == 0x0D || buffer[start] == 0x0A { start += 1 }
      if start < buffer.count { break }
      guard try await fill() else { return nil }
    }
    // The first byte reveals another protocol, such as TLS, whose end of a line might never come.
    guard (0x21...0x7E).contains(buffer[start]) else { throw BadRequest(400, "this isn't HTTP") }
    var lines: [[UInt8]] = []
    var room = Self.headLimit
    while true {
      let line = try await line(atMost: room)
      if line.isEmpty { return lines }
      room -= line.count
      lines.append(line)
    }
  }

  private mutating func bytes(_ count: Int) async throws -> [UInt8] {
    while buffer.count - start < count {
      guard try await fill() else { throw BadRequest(400, "the request ended early") }
    }
    defer { start += count }
    return Array(buffer[start..<start + count])
  }

  /// Returns a chunked body, without its trailer fields.
  private mutating func chunks() async throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let text = try await line().prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
      guard let size = Int(String(decoding: text, as: UTF8.self), radix: 16), size >= 0,
        text.first != UInt8(ascii: "+")
      else { throw BadRequest(400, "a chunk has no size") }
      guard size <= bodyLimit - body.count else { throw BadRequest(413, "the body is too large") }
      if size == 0 { break }
      body += try await bytes(size)
      guard try await line().isEmpty else { throw BadRequest(400, "a chunk doesn't end") }
    }
    while try await !line().isEmpty {}
    return body
  }

  /// Returns the next line, without its end.
  private mutating func line(atMost limit: Int = headLimit) async throws -> [UInt8] {
    var seen = 0
    while true {
      if let end = buffer[(start + seen)...].firstIndex(of: 0x0A), end - start <= limit {
        let line = buffer[start..<end]
        start = end + 1
        return Array(line.last == 0x0D ? line.dropLast() : line)
      }
      seen = buffer.count - start
      guard seen <= limit else { throw BadRequest(431, "the head is too large") }
      guard try await fill() else { throw BadRequest(400, "the request ended early") }
    }
  }

  /// Reads more, and drops bytes that have been used; returns `false` at the end.
  private mutating func fill() async throws -> Bool {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    return try await socket.read(into: &buffer) > 0
  }
}
