public import FieldCore
internal import FieldFakes
internal import FieldFoundation

/// The server side of ``TransportConformance``, as a transport.
///
/// Its responses are unencoded, like those of any transport; ``wire(for:)`` returns how a server
/// has to send the response to a request. The server must pass on the path and the query of a
/// request unchanged, including escapes, and handle several requests at a time.
public struct ConformanceRoutes: Transport {
  private let clock: any FieldClock

  /// Creates the routes, whose slow responses wait on `clock`.
  public init(clock: any FieldClock = .system) { self.clock = clock }

  /// A way in which to send the response to a request.
  public enum Wire: Sendable, Hashable {
    /// The complete response, with its length.
    case whole
    /// The complete response, in chunks.
    case chunked
    /// The complete response, gzipped if the request accepts it.
    case gzip
    /// The response with its length, but the connection is closed after a number of bytes of the
    /// body.
    case cut(after: Int)
    /// These bytes verbatim instead of the response, head included, and how they end.
    case raw([UInt8], then: RawEnd)
  }

  /// Returns how to send the response to a request.
  public static func wire(for request: TransportRequest) -> Wire {
    let (segments, number) = route(of: request)
    return switch segments.first {
    case "raw": raw(segments.dropFirst())
    case "chunked": .chunked
    case "gzip": .gzip
    case "cut": .cut(after: number)
    default: .whole
    }
  }

  /// Returns the segments of a path, and the number that is the second of them.
  private static func route(of request: TransportRequest) -> (segments: [String], number: Int) {
    let path = request.url.path(percentEncoded: true)
    let segments = path.split(separator: "/").map(String.init)
    return (segments, segments.dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  /// Returns the response to a request by its path.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let (segments, number) = Self.route(of: request)
    switch segments.first {
    case "echo": return try ConformanceEcho(request).answer()
    case "status":
      return TransportResponse(
        status: number, body: number == 204 ? .bytes([]) : .text("status \(number)"))
    case "unauthorized":
      return TransportResponse(
        status: 401, fields: ["WWW-Authenticate": "Basic realm=\"field\""], body: .text("who?"))
    case "fields": return Self.manyFields
    case "bytes", "chunked", "gzip":
      return TransportResponse(status: 200, body: .bytes(Self.pattern(number)))
    case "cut": return TransportResponse(status: 200, body: .bytes(Self.pattern(number * 2)))
    case "raw": return TransportResponse(status: 200)
    case "loop":
      let path = request.url.path(percentEncoded: true)
      return TransportResponse(status: 302, fields: ["Location": path])
    case "redirect": return Self.redirect(number, request)
    case "slow":
      try await clock.sleep(for: .milliseconds(number))
      return TransportResponse(status: 200, body: .text("slow"))
    default: return TransportResponse(status: 404, body: .text("no such route"))
    }
  }

  /// Returns bytes that depend on their position, so that lost, repeated, and moved ones are
  /// noticed; one mebibyte at most.
  static func pattern(_ count: Int) -> [UInt8] { Array(longestPattern.prefix(count)) }

  /// The byte at `n` is `n * 31 ^ n >> 8 ^ n >> 16`, whose last two terms are the same for 256 bytes.
  private static let longestPattern: [UInt8] = {
    let parts = (0..<256).map { part in
      (0..<256).map { UInt8(truncatingIfNeeded: $0 * 31 ^ part) }
    }
    return (0..<1 << 12).flatMap { parts[($0 ^ $0 >> 8) & 0xFF] }
  }()

  private static let manyFields: TransportResponse = {
    var fields: HTTPHeaderFields = ["X-MiXeD-cAsE": "One"]
    fields.add("first", to: "X-Several")
    fields.add("second", to: "x-several")
    return TransportResponse(status: 200, fields: fields, body: .text("fields"))
  }()

  /// Returns `/redirect/307?to=…`: the status in the path, redirecting to the URL in the query.
  private static func redirect(_ status: Int, _ request: TransportRequest) -> TransportResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let target = items.first { $0.name == "to" }?.value ?? "/"
    return TransportResponse(status: status, fields: ["Location": target], body: .text("elsewhere"))
  }
}

// MARK: - Hostile

extension ConformanceRoutes {
  /// The end of a ``Wire/raw(_:then:)``.
  public enum RawEnd: Sendable, Hashable {
    /// The connection is closed.
    case close
    /// Nothing, while the connection stays open.
    case silence
    /// These bytes over and over, until the client leaves.
    case repeating([UInt8])
  }

  /// Returns the verbatim response to a path such as `/raw/bomb`.
  static func raw(_ segments: ArraySlice<String>) -> Wire {
    let number = segments.dropFirst().first.flatMap { Int($0) } ?? 0
    switch segments.first {
    case "unendingRedirect":
      return raw(
        "302 Found\r\nLocation: /bytes/10\r\n\r\n",
        then: .repeating([UInt8](repeating: 0x20, count: 64 << 10)))
    case "silence": return raw("200 OK\r\nContent-Length: 100\r\n\r\nabc", then: .silence)
    case "length": return raw("200 OK\r\nContent-Length: \(Int.max)\r\nA: b\r\n\r\nabc")
    case "longLength":
      return raw("200 OK\r\nContent-Length: 9223372036854774784\r\nA: b\r\n\r\nabc")
    case "bomb":
      let bomb = bomb(number == 0 ? 1_024 : number)
      return raw("200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n", bomb)
    case "cutGzip" where number == 0:
      return raw("200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n", cutGzip)
    case "cutGzip":
      let cut = cutGzip
      return raw(
        "200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n",
        Array("\(String(cut.count, radix: 16))\r\n".utf8) + cut + Array("\r\n0\r\n\r\n".utf8))
    case "malformed": return .raw(Array(malformed[number].utf8), then: .close)
    default: return .raw(Array(odd[number].utf8), then: .close)
    }
  }

  private static func raw(_ head: String, _ body: [UInt8] = [], then end: RawEnd = .close) -> Wire {
    .raw(Array("HTTP/1.1 \(head)".utf8) + body, then: end)
  }

  /// Bytes that decompress to a thousand times as many zeros (RFC 1951): that many mebibytes.
  ///
  /// A block's codes give two bits to a repetition of 258 zeros, and both bits are zero.
  private static func bomb(_ mebibytes: Int) -> [UInt8] {
    let start: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xED, 0xC0, 0x81, 0x00, 0x00,
      0x00, 0x00, 0x80, 0xA0, 0xFD, 0xA9, 0x17, 0xA9, 0x00,
    ]
    return start + [UInt8](repeating: 0, count: (mebibytes << 20) / (4 * 258))
  }

  /// The beginning of a gzip file.
  private static let cutGzip: [UInt8] = {
    let whole = Gzip.compress(pattern(50_000))
    return Array(whole.prefix(whole.count / 2))
  }()

  /// Responses that must never be mistaken for complete ones.
  static let malformed = [
    "hello there\r\nthis is no HTTP\r\n\r\n", "", "HTTP/1.1 200",
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  ]

  /// Complete responses with the body `hi`.
  static let odd = [
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi there",
    "HTTP/1.1 200 OK\r\nA:\r\nB: 臺北\r\nConnection: close\r\n\r\nhi",
  ]
}
