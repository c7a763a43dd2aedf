internal import FieldCore
public import FieldFoundation

/// A web address of the zoo's data, made valid, and its text as it stood there.
///
/// The zoo writes addresses with bare spaces, with spaces that are encoded already, with double
/// slashes, and with `http` and `https` as it comes. What an address may not hold is encoded, what is
/// encoded stays as it is, and nothing else is touched: `http` stays `http` unless asked.
///
/// ```swift
/// let link = ZooLink("http://www.zoo.gov.tw/iTAP/Ateles fusciceps/Pic01.jpg")
/// link?.url                         // http://www.zoo.gov.tw/iTAP/Ateles%20fusciceps/Pic01.jpg
/// link?.url(upgradingToHTTPS: true) // https://…
/// ```
public struct ZooLink: Sendable, Hashable {
  /// The text as the source has it.
  public let rawText: String
  /// The address.
  public let url: URL

  /// Makes a link of a text; nil when it is no web address (`http` or `https` with a host).
  public init?(_ rawText: String) {
    guard let url = PercentEncoding.webAddress(rawText) else { return nil }
    self.rawText = rawText
    self.url = url
  }

  /// The address, with `https` in place of `http` where that is wished.
  ///
  /// Whether the server answers both is not known for every picture of the zoo.
  public func url(upgradingToHTTPS isUpgraded: Bool) -> URL {
    let text = url.absoluteString
    guard isUpgraded, text.utf8.count > 5, text.prefix(5).lowercased() == "http:" else {
      return url
    }
    return URL(string: "https:\(text.dropFirst(5))", encodingInvalidCharacters: false) ?? url
  }
}

extension ZooLink: Codable {
  /// Reads the link from its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when the text is no web address.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let link = ZooLink(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no web address")
    }
    self = link
  }

  /// Writes the text as the source has it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawText)
  }
}

extension ZooLink: CustomStringConvertible {
  /// The address.
  public var description: String { url.absoluteString }
}
