internal import FieldCore

extension FakeCivicService {
  /// A failure in the response for a table.
  public enum Failure: Sendable, Hashable {
    /// A nonzero `result`, with the rows beside it.
    case result(Int)
    /// The rows without a `result`.
    case noResult
    /// A `result` of 0 without `data`.
    case noData
    /// An HTML page with status 200.
    case webPage
    /// An empty body with status 200.
    case noBody
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// Rows without a key.
    case noKeys
    /// A status with an HTML page.
    case status(Int)
    /// No response because the device is offline.
    case offline

    func applied(to response: TransportResponse) throws -> TransportResponse {
      let bytes = try response.body.bytes()
      let body = String(decoding: bytes, as: UTF8.self)
      let rows = body.dropFirst(#"{"result":0"#.utf8.count)
      switch self {
      case .result(let result): return .json(#"{"result":\#(result)"# + rows)
      case .noResult: return .json("{" + rows.dropFirst())
      case .noData: return .json(#"{"result":0}"#)
      case .webPage: return TransportResponse(status: 200, body: .maintenance)
      case .noBody: return TransportResponse(status: 200)
      case .cut(let count):
        return TransportResponse(status: 200, body: .bytes(Array(bytes.prefix(count))))
      case .noKeys: return .json(#"{"result":0,"data":[{"name":"無名"},{"lastUpdateTime":9}]}"#)
      case .status(let status): return TransportResponse(status: status, body: .maintenance)
      case .offline: throw FieldError(.offline, "The device is offline on purpose.")
      }
    }
  }
}
