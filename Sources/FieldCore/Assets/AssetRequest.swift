public import FieldFoundation

/// An asset that is asked for: where it is, and what it has to be.
///
/// ```swift
/// AssetRequest(url)                                          // a picture
/// try AssetRequest("http://www.zoo.gov.tw/a b.jpg")          // as sources write addresses
/// AssetRequest(url, key: "pet/mesh")                         // an address that changes
/// AssetRequest(guide, accepting: [.pdf])
/// ```
///
/// A file URL is a file of the caller's: it is read where it is, and never copied.
public struct AssetRequest: Sendable, Hashable {
  /// The address: `http`, `https` or `file`.
  public var url: URL
  /// What the asset is known by in the cache; nil for the address and the header fields.
  ///
  /// Give one where the address changes and the asset does not, as with addresses that carry a token.
  /// Equal keys are one asset for all users of a cache, whatever the address and the header fields:
  /// put the user into the key of what is one user's own. A key is hashed, and never a path.
  public var key: String?
  /// The formats that are accepted, told by the bytes; nil for any bytes at all.
  public var formats: Set<AssetFormat>?
  /// The header fields to send along.
  public var fields: HTTPHeaderFields
  /// How long the exchange may take; 60 seconds by default.
  public var timeout: Duration
  /// The ``TransportRequest/operation`` of the exchange; `assets.fetch` by default.
  public var operation: String

  /// Makes a request; one for a picture, unless told otherwise.
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

  /// Makes a request from an address as sources write them: with spaces, Chinese and line breaks in it,
  /// encoded or not.
  ///
  /// What an address may not hold is encoded, what is encoded already stays, `http` stays `http`.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` when the text is no `http`
  ///   or `https` address.
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
        .invalidInput, "“\(text.prefix(200))” is no http or https address", operation: operation)
    }
    self.init(
      url, key: key, accepting: formats, fields: fields, timeout: timeout, operation: operation)
  }

  /// Whether bytes of this format will do.
  func accepts(_ format: AssetFormat?) -> Bool {
    guard let formats else { return true }
    return format.map(formats.contains) ?? false
  }

  /// What the asset is known by: equal for equal assets, and different in its first letter for keys
  /// and for addresses, so that no key is taken for an address.
  var identity: String {
    if let key { return "k\n\(key)" }
    let address = url.absoluteString
    var text = "u\n" + (address.firstIndex(of: "#").map { String(address[..<$0]) } ?? address)
    for (name, value) in fields { text += "\n\(name.lowercased()): \(value)" }
    return text
  }

  /// Refuses addresses that nothing can be asked from.
  func check() throws(FieldError) {
    let scheme = url.scheme?.lowercased()
    guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
      throw FieldError(
        .invalidInput,
        "an asset has an http, https or file address, and \(Redaction.default.redact(url)) is none",
        operation: operation)
    }
  }
}
