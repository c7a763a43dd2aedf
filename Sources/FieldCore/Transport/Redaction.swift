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
  /// They are the names that services and signed URLs (`X-Amz-Signature`, `X-Goog-Signature`, `sig`, and
  /// the like) use for authorization, cookies, tokens, keys, signatures, passwords, one-time codes,
  /// attestations of apps, and sessions of uploads.
  public static var `default`: Redaction {
    Redaction(
      fieldNames: [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-app-token", "x-api-key",
        "x-auth-key", "dpop", "otp", "x-otp", "totp", "pin", "x-pin", "sid",
        "x-goog-upload-url", "x-goog-upload-control-url",
      ],
      queryNames: [
        "key", "sig", "auth", "code", "pwd", "pass", "sid", "appid", "servicekey", "otp", "totp",
        "pin", "ticket", "sas", "sv", "googleaccessid", "key-pair-id",
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
        "license-key", "license_key", "appcheck", "app-check", "app_check", "uploadid",
        "upload-id", "upload_id", "csrf", "xsrf",
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
      } else if Self.addressFields.contains(name.streamSafe.lowercased()) {
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
    let key = Array(name.lowercased().utf8)
    return names.contains { $0.lowercased().utf8.elementsEqual(key) }
      || fragments.contains {
        ByteSearch(for: Array($0.lowercased().utf8)).firstIndex(in: key) != nil
      }
  }

  /// Redacts the text, because logs must also hide secrets in URLs that no parser accepts.
  func redact(address: String) -> String { redacted(address.unicodeScalars[...]) }

  /// Returns the text with the secrets of the URLs in it hidden.
  ///
  /// A URL ends at the first character that URLs can't contain. Punctuation after a secret is hidden with it.
  package func redact(text: String) -> String {
    guard text.unicodeScalars.contains(where: "?#@".unicodeScalars.contains) else { return text }
    let isBetween: (Unicode.Scalar) -> Bool = {
      $0.properties.isWhitespace || "\"<>".unicodeScalars.contains($0)
    }
    var shown = ""
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if isBetween(first) {
        shown.unicodeScalars.append(first)
        rest = rest.dropFirst()
      } else {
        let word = rest.prefix { !isBetween($0) }
        shown += redacted(word)
        rest = rest[word.endIndex...]
      }
    }
    return shown
  }

  // A combining mark after a separator doesn't hide it, as it would among `Character`s. What is shown is put together as a
  // `String`, because a view of scalars would copy all of itself whenever it gets more than one.
  private typealias Scalars = Substring.UnicodeScalarView

  /// How many URLs may contain each other. A server could nest thousands, which would overflow the stack.
  private static let deepest = 8

  private func redacted(_ address: Scalars, depth: Int = 0) -> String {
    let head = address.prefix { $0 != "?" && $0 != "#" }
    var shown = withoutUsers(head)
    var rest = address[head.endIndex...]
    while let mark = rest.first {
      rest = rest.dropFirst()
      // Browsers also receive tokens after the `#`, in the form of a query.
      let part = rest.prefix { $0 != "#" }
      shown.unicodeScalars.append(mark)
      shown += part.split(separator: "&", omittingEmptySubsequences: false)
        .map { redacted(pair: $0, depth) }.joined(separator: "&")
      rest = rest[part.endIndex...]
    }
    return shown
  }

  private func redacted(pair: Scalars, _ depth: Int) -> String {
    guard let sign = pair.firstIndex(of: "="), pair.index(after: sign) < pair.endIndex else {
      return String(pair)
    }
    let name = PercentEncoding.decoded(Substring(pair[..<sign]))
    let value = PercentEncoding.decoded(Substring(pair[sign...].dropFirst()))
    // A value may itself be a URL, such as the one to return to after signing in.
    let isSecret =
      hidesQueryItem(name) || depth == Self.deepest
      || !redacted(value.unicodeScalars[...], depth: depth + 1).utf8.elementsEqual(value.utf8)
    return isSecret ? String(pair[...sign]) + Self.placeholder : String(pair)
  }

  /// Hides the user of each URL, of which a text without blanks may contain several.
  private func withoutUsers(_ head: Scalars) -> String {
    var shown = ""
    var rest = head
    while let slashes = rest.firstRange(of: "//".unicodeScalars) {
      // Browsers skip further slashes.
      let authority = rest[slashes.lowerBound...].drop { $0 == "/" }
      shown += Substring(rest[..<authority.startIndex])
      rest = authority
      if let at = rest.prefix(while: { $0 != "/" }).lastIndex(of: "@") {
        shown += Self.placeholder
        rest = rest[at...]
      }
    }
    return shown + Substring(rest)
  }
}
