public import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The server side of ``TransportConformance``, in the form of a transport: what it answers is to be
/// put on the wire as it stands.
///
/// The server that serves it writes header fields as they are given, with three consequences:
///
/// - `Transfer-Encoding: chunked` has the body sent in chunks.
/// - `Content-Encoding: gzip` comes with bytes that are packed already.
/// - A `Content-Length` that is given wins over the length of the body, and the connection is closed
///   after the body.
///
/// Without either field the server announces the length of the body. It gives the path and the query
/// of a request as they came, escapes untouched, and answers several requests at a time.
public struct ConformanceRoutes: Transport {
  private let clock: any FieldClock

  /// Makes the routes; slow answers wait on `clock`.
  public init(clock: any FieldClock = .system) { self.clock = clock }

  /// Answers a request by its path.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = request.url.path(percentEncoded: true)
    let segments = path.split(separator: "/").map(String.init)
    let number = segments.count > 1 ? Int(segments[1]) ?? 0 : 0
    switch segments.first {
    case "echo": return try ConformanceEcho(request).answer()
    case "status": return HTTPResponse(status: number, body: .text("status \(number)"))
    case "unauthorized":
      return HTTPResponse(
        status: 401, fields: ["WWW-Authenticate": "Basic realm=\"field\""], body: .text("who?"))
    case "fields": return Self.manyFields
    case "bytes": return HTTPResponse(status: 200, body: .bytes(Self.pattern(number)))
    case "chunked":
      return HTTPResponse(
        status: 200, fields: ["Transfer-Encoding": "chunked"], body: .bytes(Self.pattern(number)))
    case "gzip":
      return HTTPResponse(
        status: 200, fields: ["Content-Encoding": "gzip"], body: .bytes(Self.packed))
    case "cut":
      return HTTPResponse(
        status: 200, fields: ["Content-Length": "\(number * 2)"], body: .bytes(Self.pattern(number)))
    case "loop": return HTTPResponse(status: 302, fields: ["Location": path])
    case "redirect": return Self.redirect(number, request)
    case "slow":
      try await clock.sleep(for: .milliseconds(number))
      return HTTPResponse(status: 200, body: .text("slow"))
    default: return HTTPResponse(status: 404, body: .text("no such route"))
    }
  }

  /// Bytes that tell their place, so that lost, doubled and moved ones show.
  static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8) ^ ($0 >> 16)) }
  }

  /// What ``packed`` unpacks to: 20,000 bytes.
  static let plain = Array(String(repeating: "meteorite ", count: 2_000).utf8)

  /// ``plain``, packed with `gzip -9n` of GNU gzip.
  static let packed: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc6, 0xb1, 0x09,
    0x00, 0x30, 0x0c, 0x03, 0xb0, 0x57, 0xfa, 0x9c, 0x87, 0x0e, 0x21, 0x10, 0xf2, 0x3f,
    0x3d, 0xa3, 0x8b, 0x34, 0xa9, 0xb2, 0xe9, 0xb9, 0x9b, 0x53, 0x66, 0x66, 0x66, 0x66,
    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0xf6, 0x71, 0x0f, 0x52, 0x67, 0xb6, 0x7b, 0x20,
    0x4e, 0x00, 0x00,
  ]

  private static let manyFields: HTTPResponse = {
    var fields: HTTPHeaderFields = ["X-MiXeD-cAsE": "One"]
    fields.add("first", to: "X-Several")
    fields.add("second", to: "x-several")
    return HTTPResponse(status: 200, fields: fields)
  }()

  /// `/redirect/307?to=…`: the status of the path, to the address of the query.
  private static func redirect(_ status: Int, _ request: HTTPRequest) -> HTTPResponse {
    let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    let target = items.first { $0.name == "to" }?.value ?? "/"
    return HTTPResponse(status: status, fields: ["Location": target], body: .text("elsewhere"))
  }
}
