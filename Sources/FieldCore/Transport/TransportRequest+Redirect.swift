package import FieldFoundation

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
