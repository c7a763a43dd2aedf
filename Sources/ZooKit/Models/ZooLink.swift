internal import FieldCore
public import FieldFoundation

/// A web address in the zoo's data, as a valid URL and as the original text.
///
/// The zoo writes addresses with bare spaces, with encoded spaces, with double slashes, and with
/// `http` or `https` at random. Invalid characters are encoded, encoded ones stay as they are, and
/// nothing else is changed in ``url``. Apple's platforms block `http` by default, so fetch and show
/// ``secureURL``.
///
/// ```swift
/// let link = ZooLink("http://www.zoo.gov.tw/iTAP/Ateles fusciceps/Pic01.jpg")
/// link?.url                         // http://www.zoo.gov.tw/iTAP/Ateles%20fusciceps/Pic01.jpg
/// link?.secureURL                   // https://…
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

  /// The URL, with `https` instead of `http` if its host is one of the ``secureHosts``.
  public var secureURL: URL {
    guard let host = url.host()?.lowercased(), Self.secureHosts.contains(host) else { return url }
    return url.upgradedToHTTPS
  }

  /// The hosts in the zoo's data that are known to support `https`, because the data has `https`
  /// addresses at each of them.
  ///
  /// All pictures are at these hosts. Of the others, `newweb.zoo.gov.tw` has a page and
  /// `mediasys.taipei.gov.tw` has recordings.
  public static let secureHosts: Set<String> = [
    "www.zoo.gov.tw", "www.zoo.gov.taipei", "www-ws.gov.taipei", "www.youtube.com", "youtu.be",
  ]

  /// Returns the URL, with `https` instead of `http` if requested, whatever its host is.
  ///
  /// A URL with a port stays as it is.
  public func url(upgradingToHTTPS isUpgraded: Bool) -> URL {
    isUpgraded ? url.upgradedToHTTPS : url
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

/// A picture, a document, or a recording of an animal or plant.
public struct ZooMedia: Sendable, Hashable, Codable, Identifiable {
  /// The number of its columns, counting from 1; the zoo skips some numbers.
  public var number: Int
  /// The link to the file; `nil` if the source gives only a caption or a text that isn't a URL,
  /// which is then among the record's `unreadable` texts.
  public var link: ZooLink?
  /// The caption, in Chinese.
  public var caption: String?

  /// Creates a media entry.
  public init(number: Int, link: ZooLink?, caption: String? = nil) {
    self.number = number
    self.link = link
    self.caption = caption
  }

  /// The URL of the file.
  public var url: URL? { link?.url }

  /// The number of its columns.
  public var id: Int { number }
}
