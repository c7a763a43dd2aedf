internal import FieldCore
public import FieldFoundation

/// A web address in the zoo's data, as a valid URL and as the original text.
///
/// The zoo writes addresses with bare spaces, with encoded spaces, with double slashes, and with
/// `http` or `https` at random. Invalid characters are encoded, encoded ones stay as they are, and
/// nothing else is changed: `http` stays `http` unless you upgrade it.
///
/// ```swift
/// let link = ZooLink("http://www.zoo.gov.tw/iTAP/Ateles fusciceps/Pic01.jpg")
/// link?.url                         // http://www.zoo.gov.tw/iTAP/Ateles%20fusciceps/Pic01.jpg
/// link?.url(upgradingToHTTPS: true) // https://…
/// ```
public struct ZooLink: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The text as the source gives it.
  public let rawText: String
  /// The URL.
  public let url: URL

  /// Creates a link from a text; returns `nil` unless it is an `http` or `https` URL with a host.
  public init?(_ rawText: String) {
    guard let url = PercentEncoding.webAddress(rawText) else { return nil }
    self.rawText = rawText
    self.url = url
  }

  /// Returns the URL, with `https` instead of `http` if requested.
  ///
  /// It isn't known for every picture of the zoo whether the server supports both.
  public func url(upgradingToHTTPS isUpgraded: Bool) -> URL {
    let text = url.absoluteString
    guard isUpgraded, text.prefix(5).lowercased() == "http:" else { return url }
    return URL(string: "https:\(text.dropFirst(5))", encodingInvalidCharacters: false) ?? url
  }

  /// Creates a link by decoding its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text isn't a web address.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let link = ZooLink(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" isn't a web address")
    }
    self = link
  }

  /// Encodes the text as the source gives it.
  public func encode(to encoder: any Encoder) throws { try rawText.encode(to: encoder) }

  /// The URL.
  public var description: String { url.absoluteString }
}
