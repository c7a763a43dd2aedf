public import FieldCore
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
