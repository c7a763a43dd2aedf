public import FieldFoundation

/// A request with everything that a transport needs to know about it.
public struct TransportRequest: Sendable, Hashable {
  /// The HTTP method.
  public var method: Method
  /// The URL.
  public var url: URL
  /// The header fields.
  public var fields: HTTPHeaderFields
  /// The body, or nil for none.
  public var body: TransportBody?
  /// The time limit from sending to the last byte, which defaults to 60 seconds.
  public var timeout: Duration
  /// The maximum size of the response body after decoding, in bytes, which defaults to 256 MiB.
  public var responseLimit: Int
  /// The destination of the response body.
  public var destination: Destination
  /// A stable ID of the request's purpose, such as `meteorites.snapshot`.
  ///
  /// Stubs, logs, and metrics use it, so they needn't parse URLs.
  public var operation: String
  /// A Boolean value that indicates whether the request may be sent again if its outcome is
  /// unknown.
  ///
  /// Defaults to `true` for GET and HEAD.
  public var isIdempotent: Bool
  /// A Boolean value that indicates whether to follow redirects, which defaults to `true`.
  ///
  /// Pass `false` for a body with a password that is meant for one URL only; then a redirect is
  /// returned as the response.
  public var followsRedirects = true

  /// Creates a request, which defaults to GET without a body.
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
    /// The name in the request, such as `GET`.
    public var rawValue: String
    /// Creates a method from its name.
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

  /// A destination for the body of a response.
  public enum Destination: Sendable, Hashable {
    /// Memory: the response's body is ``TransportBody/bytes(_:)``.
    case memory
    /// A file, which is replaced if it exists: the response's body is ``TransportBody/file(_:)``.
    ///
    /// If the request fails, no file is left behind. A response that isn't a success is kept in
    /// memory, so that a 404 or a 304 doesn't replace an existing file.
    case file(URL)
  }
}
