internal import FieldFakes

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
