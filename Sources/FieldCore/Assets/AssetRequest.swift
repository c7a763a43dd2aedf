public import FieldFoundation

/// A request for an asset: its URL and the formats to accept.
///
/// ```swift
/// AssetRequest(url)                                          // a picture
/// try AssetRequest("http://www.zoo.gov.tw/a b.jpg")          // as sources write addresses
/// AssetRequest(url, key: "pet/mesh")                         // an address that changes
/// AssetRequest(guide, accepting: [.pdf])
/// ```
///
/// A local file is read in place and never copied. The JSON of a request contains its header fields as they
/// are, including secrets.
public struct AssetRequest: Sendable, Hashable, Codable {
  /// The URL: `http`, `https`, or `file`.
  public var url: URL
  /// The cache key of the asset, or `nil` to use the URL and the header fields.
  ///
  /// Pass a key if the URL changes and the asset doesn't, for example if the URL contains a token.
  /// Requests with equal keys share one asset, whatever their URLs and header fields, so include
  /// the user in the key of a private asset. Keys are hashed and never used as paths.
  public var key: String?
  /// The URL that identifies the asset instead of ``url``, such as an `http` URL that is fetched with
  /// `https`: what was cached under it stays in use.
  package var originalURL: URL?
  /// The formats to accept, detected from the bytes, or `nil` to accept any bytes.
  public var formats: Set<AssetFormat>?
  /// The header fields to send.
  public var fields: HTTPHeaderFields
  /// The maximum duration of the request.
  ///
  /// Defaults to 60 seconds.
  public var timeout: Duration
  /// The ``TransportRequest/operation`` of the request.
  ///
  /// Defaults to `assets.fetch`.
  public var operation: String

  /// Creates a request, which accepts only pictures by default.
  public init(
    _ url: URL,
    key: String? = nil,
    accepting formats: Set<AssetFormat>? = AssetFormat.images,
    fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60),
    operation: String = "assets.fetch"
  ) {
    self.url = url
    self.key = key
    self.formats = formats
    self.fields = fields
    self.timeout = timeout
    self.operation = operation
  }

  /// Creates a request from a URL in a source's data, which may contain spaces, Chinese, and line
  /// breaks.
  ///
  /// Characters that a URL can't contain are percent-encoded, existing encoding stays, and `http`
  /// stays `http`.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the text isn't an
  ///   `http` or `https` URL.
  public init(
    _ text: String,
    key: String? = nil,
    accepting formats: Set<AssetFormat>? = AssetFormat.images,
    fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60),
    operation: String = "assets.fetch"
  ) throws {
    guard let url = PercentEncoding.webAddress(text) else {
      throw FieldError(
        .invalidInput, "“\(text.prefix(200))” isn't an HTTP or HTTPS URL.", operation: operation)
    }
    self.init(
      url, key: key, accepting: formats, fields: fields, timeout: timeout, operation: operation)
  }

  func accepts(_ format: AssetFormat?) -> Bool {
    guard let formats else { return true }
    return format.map(formats.contains) ?? false
  }

  /// The identity of the asset. Its first letter differs for keys and URLs, so that a key is never
  /// mistaken for a URL.
  var identity: String {
    if let key { return "k\n\(key)" }
    let address = (originalURL ?? url).absoluteString
    var text = "u\n" + (address.firstIndex(of: "#").map { String(address[..<$0]) } ?? address)
    for (name, value) in fields { text += "\n\(name.lowercased()): \(value)" }
    return text
  }

  /// Throws if the URL can't be requested.
  func check() throws(FieldError) {
    let scheme = url.scheme?.lowercased()
    guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
      throw FieldError(
        .invalidInput,
        "\(Redaction.default.redact(url)) isn't an HTTP, HTTPS, or file URL.",
        operation: operation)
    }
  }
}
