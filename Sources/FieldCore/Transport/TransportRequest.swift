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

// MARK: - Checking

extension TransportRequest {
  /// Throws if the request can't be sent as HTTP, or an HTTP client would send a different one.
  ///
  /// Use it in a transport, before anything is sent.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput``, whose `problems` say
  ///   what is wrong with the URL, the method, the body, or the names and values of fields.
  public func checkIsSendable() throws {
    var problems: [String] = []
    if url.scheme?.lowercased() != "http" && url.scheme?.lowercased() != "https" {
      problems.append("the scheme of the URL is \(url.scheme ?? "missing"), not http or https")
    } else if url.host?.isEmpty != false {
      problems.append("the URL has no host")
    }
    if let port = url.port, !(0...65_535).contains(port) {
      problems.append("the port \(port) of the URL is out of range")
    }
    if !method.rawValue.utf8.isToken { problems.append("the method isn't an HTTP method") }
    if body != nil && (method == .get || method == .head) {
      problems.append("a \(method) request can't have a body")
    }
    for (name, value) in fields {
      if !name.utf8.isToken { problems.append("'\(name)' isn't a field name") }
      // The message omits the value because it may be a secret.
      if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        problems.append("the value of the field '\(name)' contains a control character")
      }
    }
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "The request can't be sent.", problems: problems)
    }
  }
}

extension String.UTF8View {
  /// A Boolean value that indicates whether this is a token (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty && allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}

// MARK: - Redirect

extension TransportRequest {
  /// Returns the request that a redirect leads to, or `nil` if the response isn't a redirect that
  /// can be followed.
  ///
  /// Use it in a transport, which sends the returned request unless ``followsRedirects`` is `false`.
  /// See RFC 9110, section 15.4. As in browsers, a POST becomes a GET after 301 and 302, too. The
  /// fragment is kept unless the new URL has one (section 10.2.2). If the scheme, host, or port
  /// changes, all fields that aren't known to be harmless are dropped.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/redirectRefused`` if the URL isn't an
  ///   HTTP URL, or if a body would go from `https` to `http`.
  public func redirected(by answer: TransportResponse) throws -> TransportRequest? {
    guard [301, 302, 303, 307, 308].contains(answer.status),
      let location = answer.fields["Location"], !location.isEmpty
    else { return nil }

    var next = self
    next.url = try target(location, answer.head)
    let becomesGet =
      answer.status == 303 ? method != .head : answer.status < 303 && method == .post
    if becomesGet {
      next.method = .get
      next.body = nil
      for name in Self.bodyFields { next.fields[name] = nil }
    }
    guard !next.url.hasSameOrigin(as: url) else { return next }

    next.fields = HTTPHeaderFields()
    for (name, value) in fields where Self.harmlessFields.contains(name.lowercased()) {
      if next.body == nil && Self.bodyFields.contains(name.lowercased()) { continue }
      next.fields.add(value, to: name)
    }
    if next.body != nil && url.scheme?.lowercased() == "https" && next.url.scheme == "http" {
      throw FieldError(
        .redirectRefused, "The server redirects a body from https to http.", response: answer.head)
    }
    return next
  }

  private func target(_ location: String, _ head: TransportResponse.Head) throws -> URL {
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      parts.host?.isEmpty == false
    else {
      throw FieldError(
        .redirectRefused, "The server redirects to a URL that isn't HTTP.", response: head)
    }
    parts.scheme = scheme
    if parts.fragment == nil {
      let own = URLComponents(url: url, resolvingAgainstBaseURL: true)
      parts.percentEncodedFragment = own?.percentEncodedFragment
    }
    if !target.hasSameOrigin(as: url) {
      // A user name and a password in a URL are credentials, too.
      parts.user = nil
      parts.password = nil
    }
    return parts.url ?? target
  }

  /// The fields that describe a body and are removed with it.
  private static let bodyFields: Set<String> = [
    "content-type", "content-encoding", "content-language", "content-location", "content-length",
    "transfer-encoding",
  ]

  /// The fields that may be sent to a host that the caller didn't name. All others are treated as
  /// credentials: a list of known credentials would miss the next `X-App-Token`.
  private static let harmlessFields: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "pragma",
    "content-type", "content-encoding", "content-language", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "range", "user-agent",
  ]
}

extension URL {
  /// Returns a Boolean value that indicates whether both URLs have the same scheme, host, and port.
  package func hasSameOrigin(as other: URL) -> Bool {
    scheme?.lowercased() == other.scheme?.lowercased()
      && host?.lowercased() == other.host?.lowercased()
      && effectivePort == other.effectivePort
  }

  private var effectivePort: Int? {
    port ?? ["http": 80, "https": 443][scheme?.lowercased() ?? ""]
  }
}

extension FieldError.Code {
  /// The server redirected more often than the transport's `redirectLimit` allows.
  public static var tooManyRedirects: Self {
    Self(rawValue: "transport.tooManyRedirects") { RedirectGuidance.table }
  }
  /// The server redirected to a URL that the request can't or mustn't go to.
  ///
  /// The URL isn't an HTTP URL, or it would send a body unencrypted.
  public static var redirectRefused: Self {
    Self(rawValue: "transport.redirectRefused") { RedirectGuidance.table }
  }
}

/// Guidance for the error codes of redirects.
package enum RedirectGuidance {
  package static let table = GuidanceRow.table([
    .init(
      .tooManyRedirects, .redirectRefused, in: .source, .report,
      en: (
        "Invalid Redirect", "The server redirects the request in a way that the app doesn't allow."
      ),
      zh: ("重新導向無效", "伺服器以 App 不允許的方式重新導向要求。"),
      ko: ("잘못된 리디렉션", "서버가 앱에서 허용하지 않는 방식으로 요청을 리디렉션했습니다."))
  ])
}
