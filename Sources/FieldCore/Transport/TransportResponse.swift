public import FieldFoundation

/// An answer that arrived whole.
public struct TransportResponse: Sendable, Hashable {
  /// The status, the header fields and the address.
  public var head: Head
  /// The body, decoded from any content coding; empty bytes when there is none.
  public var body: TransportBody

  /// Makes an answer.
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
  /// The address that answered, after redirects; nil when the transport does not say.
  public var url: URL? { head.url }
  /// Whether the status is one of 200 to 299.
  public var isSuccess: Bool { (200...299).contains(head.status) }

  /// All of an answer but its body.
  public struct Head: Sendable, Hashable, Codable {
    /// The status code, such as 200.
    public var status: Int
    /// The header fields.
    public var fields: HTTPHeaderFields
    /// The address that answered, after redirects; nil when the transport does not say.
    public var url: URL?

    /// Makes a head.
    public init(status: Int, fields: HTTPHeaderFields = [:], url: URL? = nil) {
      self.status = status
      self.fields = fields
      self.url = url
    }
  }
}
