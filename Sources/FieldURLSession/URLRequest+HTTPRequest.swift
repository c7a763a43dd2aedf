internal import FieldCore
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLRequest {
  /// Creates the session's form of a request, reading a body in a file off the caller's actor.
  @concurrent init(_ request: TransportRequest) async throws {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpShouldHandleCookies = false
    // The transport enforces the deadline; this keeps the session's timeout from coming first.
    timeoutInterval = 366 * 86_400
    for (name, value) in request.fields { addValue(value, forHTTPHeaderField: name) }
    if let body = request.body { httpBody = Data(try body.bytes()) }
  }
}

extension TransportRequest {
  /// Throws if `URLSession` would fail with an obscure error or send a different request.
  func checkIsSendable() throws {
    var problems: [String] = []
    if url.scheme?.lowercased() != "http" && url.scheme?.lowercased() != "https" {
      problems.append("the scheme of the address is \(url.scheme ?? "missing"), not http or https")
    } else if url.host?.isEmpty != false {
      problems.append("the address has no host")
    }
    if !method.rawValue.utf8.isToken { problems.append("the method is no HTTP method") }
    if body != nil && (method == .get || method == .head) {
      problems.append("a \(method) request cannot have a body")
    }
    for (name, value) in fields {
      if !name.utf8.isToken { problems.append("'\(name)' is no name of a field") }
      // The message omits the value because it may be a secret.
      if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
        problems.append("the value of the field '\(name)' has a control character")
      }
    }
    guard problems.isEmpty else {
      throw FieldError(.invalidInput, "the request can't be sent", problems: problems)
    }
  }
}

extension String.UTF8View {
  /// A Boolean value that indicates whether this is a token (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
