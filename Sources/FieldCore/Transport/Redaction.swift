public import FieldFoundation

/// The parts of requests and responses to hide in logs.
///
/// Names are case-insensitive. A name is secret if it is listed, or if it contains a listed
/// fragment: `token` hides `X-App-Token`, `$$app_token`, and `access_token`.
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
  /// The fragments that make any name of a field or a query item that contains them secret.
  public var fragments: Set<String>

  /// Creates a redaction that hides only the given names, and user names and passwords in URLs.
  public init(
    fieldNames: Set<String> = [], queryNames: Set<String> = [], fragments: Set<String> = []
  ) {
    self.fieldNames = fieldNames
    self.queryNames = queryNames
    self.fragments = fragments
  }

  /// The redaction that hides all names known for credentials.
  ///
  /// They are the names that services and signed URLs (`X-Amz-Signature` and the like) use for
  /// authorization, cookies, tokens, keys, signatures, passwords, and one-time codes.
  public static var `default`: Redaction {
    Redaction(
      fieldNames: [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-app-token", "x-api-key",
        "x-auth-key", "dpop", "otp", "x-otp", "totp", "pin", "x-pin", "sid",
      ],
      queryNames: [
        "key", "sig", "auth", "code", "pwd", "pass", "sid", "appid", "servicekey", "otp", "totp",
        "pin", "ticket", "sas",
      ],
      fragments: [
        "authorization", "cookie", "token", "secret", "password", "passwd", "signature",
        "credential", "session", "apikey", "api-key", "api_key", "accesskey", "access-key",
        "access_key", "privatekey", "private-key", "private_key", "jwt", "bearer", "-otp", "_otp",
        "otp-", "otp_", "onetimecode", "one-time-code", "one_time_code", "passcode", "passphrase",
        "assertion", "saml", "hmac", "authkey", "auth-key", "auth_key", "servicekey", "service-key",
        "service_key", "functions-key", "subscriptionkey", "subscription-key", "subscription_key",
        "master-key", "master_key", "masterkey", "encryption-key", "customer-key", "client-key",
        "client_key", "clientkey", "signing-key", "signing_key", "shared-key", "shared_key",
        "license-key", "license_key",
      ])
  }

  /// The text that replaces a hidden value.
  public static let placeholder = "***"

  /// Returns a Boolean value that indicates whether the values of a header field are hidden.
  public func hidesField(_ name: String) -> Bool { hides(name, among: fieldNames) }

  /// Returns a Boolean value that indicates whether the values of a query item with a decoded name
  /// are hidden.
  public func hidesQueryItem(_ name: String) -> Bool { hides(name, among: queryNames) }

  /// Returns the fields with secret values hidden, also within URLs in fields.
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

  /// Returns the URL with secret values, the user name, and the password hidden.
  public func redact(_ url: URL) -> String { redact(address: url.absoluteString) }

  private static let addressFields: Set<String> = [
    "location", "content-location", "referer", "link", "refresh", "origin",
  ]

  private func hides(_ name: String, among names: Set<String>) -> Bool {
    let key = name.lowercased()
    return names.contains { $0.lowercased() == key }
      || fragments.contains { key.contains($0.lowercased()) }
  }

  /// Redacts the text, because logs must also hide secrets in URLs that no parser accepts.
  func redact(address: String) -> String {
    let head = address.prefix { $0 != "?" && $0 != "#" }
    var shown = withoutUser(head)
    var rest = address[head.endIndex...]
    while let mark = rest.first {
      rest = rest.dropFirst()
      // Browsers also receive tokens after the `#`, in the form of a query.
      let part = rest.prefix { $0 != "#" }
      shown.append(mark)
      shown += part.split(separator: "&", omittingEmptySubsequences: false)
        .map(redact(pair:)).joined(separator: "&")
      rest = rest[part.endIndex...]
    }
    return shown
  }

  /// Returns the text with the secrets of the URLs in it hidden.
  ///
  /// A URL ends at the first character that URLs can't contain. Punctuation after a secret is hidden with it.
  package func redact(text: String) -> String {
    guard text.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) else { return text }
    let isBetween: (Character) -> Bool = { $0.isWhitespace || "\"<>".contains($0) }
    var shown = ""
    var rest = text[...]
    while let first = rest.first {
      if isBetween(first) {
        shown.append(first)
        rest = rest.dropFirst()
      } else {
        let word = rest.prefix { !isBetween($0) }
        shown += redact(address: String(word))
        rest = rest[word.endIndex...]
      }
    }
    return shown
  }

  private func redact(pair: Substring) -> String {
    guard let sign = pair.firstIndex(of: "="), pair.index(after: sign) < pair.endIndex else {
      return String(pair)
    }
    let value = PercentEncoding.decoded(pair[pair.index(after: sign)...])
    // A value may itself be a URL, such as the one to return to after signing in.
    guard hidesQueryItem(PercentEncoding.decoded(pair[..<sign])) || redact(address: value) != value
    else { return String(pair) }
    return "\(pair[...sign])\(Self.placeholder)"
  }

  /// Hides the user of each URL, of which a text without blanks may contain several.
  private func withoutUser(_ head: Substring) -> String {
    guard let slashes = head.firstRange(of: "//") else { return String(head) }
    let authority = head[slashes.upperBound...].prefix { $0 != "/" }
    var rest = head[authority.endIndex...]
    var shown = String(head[..<slashes.upperBound])
    if let at = authority.lastIndex(of: "@") {
      shown += Self.placeholder
      rest = head[at...]
    } else {
      shown += authority
    }
    return shown + withoutUser(rest)
  }
}
