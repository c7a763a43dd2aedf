internal import FieldFoundation

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
