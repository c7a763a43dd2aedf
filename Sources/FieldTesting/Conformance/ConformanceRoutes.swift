public import FieldCore
internal import FieldFoundation

/// The server side of ``TransportConformance``, in the form of a transport.
///
/// Its answers are plain, as those of any transport; ``wire(for:)`` says in which form a server has
/// to put the answer to a request on the wire. The server gives the path and the query of a request
/// as they came, escapes untouched, and answers several requests at a time.
public struct ConformanceRoutes: Transport {
  private let clock: any FieldClock

  /// Makes the routes; slow answers wait on `clock`.
  public init(clock: any FieldClock = .system) { self.clock = clock }

  /// How the answer to a request goes over the wire.
  public enum Wire: Sendable, Hashable {
    /// Whole, with its length.
    case whole
    /// Whole, in chunks.
    case chunked
    /// Whole, packed with gzip when the request accepts it.
    case gzip
    /// With its length, but the connection is closed after so many bytes of the body.
    case cut(after: Int)
  }

  /// How the answer to this request goes over the wire.
  public static func wire(for request: TransportRequest) -> Wire {
    let segments = request.url.path(percentEncoded: true).split(separator: "/")
    switch segments.first {
    case "chunked": return .chunked
    case "gzip": return .gzip
    case "cut": return .cut(after: segments.count > 1 ? Int(segments[1]) ?? 0 : 0)
    default: return .whole
    }
  }

  /// Answers a request by its path.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let path = request.url.path(percentEncoded: true)
    let segments = path.split(separator: "/").map(String.init)
    let number = segments.count > 1 ? Int(segments[1]) ?? 0 : 0
    switch segments.first {
    case "echo": return try ConformanceEcho(request).answer()
    case "status":
      return TransportResponse(
        status: number, body: number == 204 ? .bytes([]) : .text("status \(number)"))
    case "unauthorized":
      return TransportResponse(
        status: 401, fields: ["WWW-Authenticate": "Basic realm=\"field\""], body: .text("who?"))
    case "fields": return Self.manyFields
    case "bytes": return TransportResponse(status: 200, body: .bytes(Self.pattern(number)))
    case "chunked", "gzip":
      return TransportResponse(status: 200, body: .bytes(Self.pattern(number)))
    case "cut": return TransportResponse(status: 200, body: .bytes(Self.pattern(number * 2)))
    case "loop": return TransportResponse(status: 302, fields: ["Location": path])
    case "redirect": return Self.redirect(number, request)
    case "slow":
      try await clock.sleep(for: .milliseconds(number))
      return TransportResponse(status: 200, body: .text("slow"))
    default: return TransportResponse(status: 404, body: .text("no such route"))
    }
  }

  /// Bytes that tell their place, so that lost, doubled and moved ones show; a mebibyte at most.
  static func pattern(_ count: Int) -> [UInt8] { Array(longestPattern.prefix(count)) }

  private static let longestPattern: [UInt8] = (0..<1 << 20).map {
    UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8) ^ ($0 >> 16))
  }

  private static let manyFields: TransportResponse = {
    var fields: HTTPHeaderFields = ["X-MiXeD-cAsE": "One"]
    fields.add("first", to: "X-Several")
    fields.add("second", to: "x-several")
    return TransportResponse(status: 200, fields: fields, body: .text("fields"))
  }()

  /// `/redirect/307?to=…`: the status of the path, to the address of the query.
  private static func redirect(_ status: Int, _ request: TransportRequest) -> TransportResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let target = items.first { $0.name == "to" }?.value ?? "/"
    return TransportResponse(status: status, fields: ["Location": target], body: .text("elsewhere"))
  }
}
