public import FieldFoundation

/// The origin of a kit's data, to be credited beside it, as many open data licenses require.
public struct DataSource: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name in English.
  public var name: String
  /// The name in Chinese, as used in Taiwan.
  public var chineseName: String
  /// The publisher of the data.
  public var publisher: String
  /// The page that describes the data.
  public var page: URL
  /// The license or the equivalent terms, in the publisher's words.
  public var license: String
  /// The line to show beside the data.
  public var attribution: String

  /// Creates a description of a source.
  public init(
    name: String, chineseName: String, publisher: String, page: URL, license: String,
    attribution: String
  ) {
    self.name = name
    self.chineseName = chineseName
    self.publisher = publisher
    self.page = page
    self.license = license
    self.attribution = attribution
  }

  private enum CodingKeys: String, CodingKey {
    case name, chineseName, publisher, page, license, attribution
  }

  private enum OlderCodingKeys: String, CodingKey { case license = "licence" }

  /// Creates a source from its encoded form, in which an older version used the key `licence`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    chineseName = try container.decode(String.self, forKey: .chineseName)
    publisher = try container.decode(String.self, forKey: .publisher)
    page = try container.decode(URL.self, forKey: .page)
    license =
      try container.decodeIfPresent(String.self, forKey: .license)
      ?? decoder.container(keyedBy: OlderCodingKeys.self).decode(String.self, forKey: .license)
    attribution = try container.decode(String.self, forKey: .attribution)
  }

  /// The English name.
  public var id: String { name }

  /// The English name and the publisher.
  public var description: String { "\(name), \(publisher)".printable }
}
