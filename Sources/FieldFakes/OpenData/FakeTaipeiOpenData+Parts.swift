internal import FieldCore

extension FakeTaipeiOpenData {
  /// A picture.
  public struct Picture: Sendable, Hashable {
    /// The bytes.
    public var bytes: [UInt8]
    /// The `Content-Type` to send, whether or not it is correct.
    public var contentType: String
    /// The status of the response.
    public var status: Int

    /// Creates a picture.
    public init(bytes: [UInt8], contentType: String = "image/jpeg", status: Int = 200) {
      self.bytes = bytes
      self.contentType = contentType
      self.status = status
    }

    func response(to request: TransportRequest) -> TransportResponse {
      let tag = "\"\(BlobID(of: bytes).hexadecimal.prefix(16))\""
      let fields: HTTPHeaderFields = ["ETag": tag, "Content-Type": contentType]
      if request.fields["If-None-Match"] == tag {
        return TransportResponse(status: 304, fields: ["ETag": tag])
      }
      return TransportResponse(status: status, fields: fields, body: .bytes(bytes))
    }
  }

  /// A response for an ID that no longer has data.
  ///
  /// No response to an unknown ID was ever recorded, so there are three that a reader must handle.
  public enum Retirement: Sendable, Hashable, CaseIterable {
    /// Status 404.
    case notFound
    /// JSON with a result without rows, with status 200.
    case resultWithoutRows
    /// JSON with a message, with status 200.
    case message

    var response: TransportResponse {
      switch self {
      case .notFound: TransportResponse(status: 404)
      case .resultWithoutRows: .json(#"{"result":{"count":0}}"#)
      case .message: .json(#"{"message":"資料集不存在"}"#)
      }
    }
  }

  /// A failure in a response.
  public enum Failure: Sendable, Hashable {
    /// An HTML page with status 200.
    case webPage
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// A result with an empty list of rows.
    case noRows
    /// A result without a list of rows.
    case noResults
    /// An empty body with status 200.
    case noBody
    /// The HTML page of a failing server, with status 500.
    case serverError

    static var webPageResponse: TransportResponse {
      TransportResponse(
        status: 200, fields: ["Content-Type": "text/html; charset=utf-8"], body: .maintenance)
    }

    func applied(to response: TransportResponse) throws -> TransportResponse {
      var response = response
      switch self {
      case .webPage: return Self.webPageResponse
      case .cut(let count): response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      case .noRows:
        response.body = .text(
          #"{"result":{"limit":1000,"offset":0,"count":0,"sort":"","results":[]}}"#)
      case .noResults: response.body = .text(#"{"result":{"limit":1000,"offset":0,"count":0}}"#)
      case .noBody: response.body = .bytes([])
      case .serverError: return .serverError
      }
      return response
    }
  }
}

extension FakeTaipeiOpenData {
  /// The smallest valid pictures, for tests.
  public enum SmallPicture {
    /// A JPEG of one gray pixel.
    public static let jpeg: [UInt8] = {
      var bytes: [UInt8] = [0xFF, 0xD8]
      bytes += [0xFF, 0xE0, 0x00, 0x10] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
      bytes += [0xFF, 0xDB, 0x00, 0x43, 0x00] + [UInt8](repeating: 1, count: 64)
      bytes += [0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x01, 0x00, 0x01, 0x01, 0x01, 0x11, 0x00]
      bytes += [0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
      bytes += [0xFF, 0xC4, 0x00, 0x14, 0x10, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
      bytes += [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x3F, 0xFF, 0xD9]
      return bytes
    }()

    /// Returns a JPEG that differs from those of other numbers by a comment.
    public static func jpeg(_ number: Int) -> [UInt8] {
      let text = Array("\(number)".utf8)
      return Array(jpeg.prefix(20)) + [0xFF, 0xFE, 0x00, UInt8(text.count + 2)] + text
        + jpeg.dropFirst(20)
    }
  }
}
