public import FieldFoundation

/// Which parts of requests and answers are hidden in logs.
///
/// Names are compared without regard to case. A name is secret when it is listed, or when it
/// contains a listed fragment: `token` hides `X-App-Token`, `$$app_token` and `access_token`.
///
/// ```swift
/// var redaction = Redaction.default
/// redaction.queryNames.insert("visitor")
/// let transport = URLSessionTransport().logging(redacting: redaction) { print($0) }
/// ```
public struct Redaction: Sendable, Hashable {
  /// The names of header fields whose values are hidden.
  public var fieldNames: Set<String>
  /// The names of query items whose values are hidden.
  public var queryNames: Set<String>
  /// What makes any name that contains it secret, of a field or of a query item.
  public var fragments: Set<String>

  /// Makes a redaction that hides nothing but what is given, and user names and passwords in
  /// addresses.
  public init(
    fieldNames: Set<String> = [], queryNames: Set<String> = [], fragments: Set<String> = []
  ) {
    self.fieldNames = fieldNames
    self.queryNames = queryNames
    self.fragments = fragments
  }

  /// Hides what is known to carry credentials: authorization, cookies, tokens, keys, signatures and
  /// passwords, under the names that services and signed addresses (`X-Amz-Signature` and the like)
  /// use for them.
  public static var `default`: Redaction {
    Redaction(
      fieldNames: [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-app-token", "x-api-key",
        "x-auth-key",
      ],
      queryNames: [
        "key", "sig", "auth", "code", "pwd", "pass", "sid", "appid", "servicekey",
      ],
      fragments: [
        "authorization", "cookie", "token", "secret", "password", "passwd", "signature",
        "credential", "session", "apikey", "api-key", "api_key", "accesskey", "access-key",
        "access_key", "privatekey", "private-key", "private_key",
      ])
  }

  /// What stands in the place of a hidden value.
  public static let placeholder = "***"

  /// Whether the values of a header field are hidden.
  public func hidesField(_ name: String) -> Bool { hides(name, among: fieldNames) }

  /// Whether the values of a query item are hidden; the name is given decoded.
  public func hidesQueryItem(_ name: String) -> Bool { hides(name, among: queryNames) }

  /// The fields with secret values hidden, and secrets hidden in fields that hold an address.
  public func redact(_ fields: HTTPHeaderFields) -> HTTPHeaderFields {
    var shown = HTTPHeaderFields()
    for (name, value) in fields {
      if hidesField(name) {
        shown.add(Self.placeholder, to: name)
      } else if Self.addressFields.contains(name.lowercased()) {
        shown.add(redact(address: value), to: name)
      } else {
        shown.add(value, to: name)
      }
    }
    return shown
  }

  /// The address with secret values, user name and password hidden.
  public func redact(_ url: URL) -> String { redact(address: url.absoluteString) }

  private static let addressFields: Set<String> = [
    "location", "content-location", "referer", "link", "refresh", "origin",
  ]

  private func hides(_ name: String, among names: Set<String>) -> Bool {
    let key = name.lowercased()
    return names.contains { $0.lowercased() == key }
      || fragments.contains { key.contains($0.lowercased()) }
  }

  /// Works on the text, since what is logged must be hidden in addresses that no parser takes, too.
  func redact(address: String) -> String {
    let head = address.prefix { $0 != "?" && $0 != "#" }
    var shown = withoutUser(head)
    var rest = address[head.endIndex...]
    while let mark = rest.first {
      rest = rest.dropFirst()
      // Browsers are sent tokens behind the `#` as well, in the form of a query.
      let part = rest.prefix { $0 != "#" }
      shown.append(mark)
      shown += part.split(separator: "&", omittingEmptySubsequences: false)
        .map(redact(pair:)).joined(separator: "&")
      rest = rest[part.endIndex...]
    }
    return shown
  }

  private func redact(pair: Substring) -> String {
    guard let sign = pair.firstIndex(of: "="), pair.index(after: sign) < pair.endIndex,
      hidesQueryItem(PercentEncoding.decoded(pair[..<sign]))
    else { return String(pair) }
    return "\(pair[...sign])\(Self.placeholder)"
  }

  private func withoutUser(_ head: Substring) -> String {
    guard let slashes = head.firstRange(of: "//") else { return String(head) }
    let authority = head[slashes.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(head) }
    return "\(head[..<slashes.upperBound])\(Self.placeholder)\(head[at...])"
  }
}
