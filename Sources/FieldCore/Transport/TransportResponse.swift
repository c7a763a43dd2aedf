public import FieldFoundation

/// A complete response.
public struct TransportResponse: Sendable, Hashable {
  /// The status, the header fields, and the URL.
  public var head: Head
  /// The body, without any content encoding; empty bytes if there is none.
  public var body: TransportBody

  /// Creates a response.
  public init(
    status: Int, fields: HTTPHeaderFields = [:], url: URL? = nil, body: TransportBody = .bytes([])
  ) {
    head = Head(status: status, fields: fields, url: url)
    self.body = body
  }

  /// The status code, such as 200.
  public var status: Int { head.status }
  /// The header fields.
  public var fields: HTTPHeaderFields { head.fields }
  /// The URL that responded, after redirects; `nil` if the transport doesn't report it.
  public var url: URL? { head.url }
  /// A Boolean value that indicates whether the status is from 200 through 299.
  public var isSuccess: Bool { (200...299).contains(head.status) }

  /// All of a response but its body.
  public struct Head: Sendable, Hashable, Codable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields.
    public var fields: HTTPHeaderFields
    /// The URL that responded, after redirects; `nil` if the transport doesn't report it.
    public var url: URL?

    /// Creates a head.
    public init(status: Int, fields: HTTPHeaderFields = [:], url: URL? = nil) {
      self.status = status
      self.fields = fields
      self.url = url
    }
  }
}

extension TransportResponse {
  /// Throws an error for the status if it is neither a success nor 304.
  package func checkStatus(operation: String) throws(FieldError) {
    if isSuccess || status == 304 { return }
    // A query may contain a signature or a key, which must not appear in a message.
    let place =
      url.map { " at " + Redaction.default.redact($0).prefix { $0 != "?" } } ?? ""
    let (code, advice): (FieldError.Code, String) =
      switch status {
      case 404, 410: (.notFound, "There is nothing\(place). Check the URL.")
      case 429: (.tooManyRequests, "The server\(place) limits requests. Try again later.")
      case 401, 403: (.status, "The server\(place) denies access. Check the credentials.")
      case 500...: (.status, "The server\(place) has failed. Try again later.")
      default: (.status, "The server\(place) didn't return the data. Check the URL.")
      }
    throw FieldError(code, "HTTP \(status): \(advice)", operation: operation, response: head)
  }
}
