public import FieldFoundation

/// A request, with all that a transport needs to know about it.
public struct TransportRequest: Sendable, Hashable {
  /// The method.
  public var method: Method
  /// The address.
  public var url: URL
  /// The header fields.
  public var fields: HTTPHeaderFields
  /// The body, or nil for none.
  public var body: TransportBody?
  /// How long the whole exchange may take, from sending to the last byte; 60 seconds by default.
  public var timeout: Duration
  /// How many bytes of body, after decoding, the answer may have; 256 MiB by default.
  public var responseLimit: Int
  /// Where the body of the answer goes.
  public var destination: Destination
  /// A stable id of what the request is for, such as `meteorites.snapshot`: stubs, logs and metrics
  /// go by it, so that they need not take addresses apart.
  public var operation: String
  /// Whether the request may be sent again when it is not known what became of it; by default that
  /// is so for GET and HEAD.
  public var isIdempotent: Bool
  /// Whether redirects are followed; true by default. When they are not, the redirect is the answer:
  /// for a body with a password in it, which is meant for one address alone.
  public var followsRedirects = true

  /// Makes a request; GET without a body, unless told otherwise.
  public init(
    _ method: Method = .get,
    url: URL,
    fields: HTTPHeaderFields = [:],
    body: TransportBody? = nil,
    timeout: Duration = .seconds(60),
    responseLimit: Int = 256 << 20,
    destination: Destination = .memory,
    operation: String,
    isIdempotent: Bool? = nil
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.timeout = timeout
    self.responseLimit = responseLimit
    self.destination = destination
    self.operation = operation
    self.isIdempotent = isIdempotent ?? (method == .get || method == .head)
  }

  /// An HTTP method.
  public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name as it goes over the wire, such as `GET`.
    public var rawValue: String
    /// Makes a method from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// GET.
    public static var get: Self { Self(rawValue: "GET") }
    /// HEAD.
    public static var head: Self { Self(rawValue: "HEAD") }
    /// POST.
    public static var post: Self { Self(rawValue: "POST") }
    /// PUT.
    public static var put: Self { Self(rawValue: "PUT") }
    /// PATCH.
    public static var patch: Self { Self(rawValue: "PATCH") }
    /// DELETE.
    public static var delete: Self { Self(rawValue: "DELETE") }
  }

  /// Where the body of an answer goes.
  public enum Destination: Sendable, Hashable {
    /// Into memory: the answer's body is ``TransportBody/bytes(_:)``.
    case memory
    /// Into a file, which is replaced when it is there: the answer's body is ``TransportBody/file(_:)``.
    /// Nothing is left at the address when the exchange fails. An answer that is no success comes in
    /// memory instead, so that a 404 or a 304 does not take the place of what was there.
    case file(URL)
  }
}
