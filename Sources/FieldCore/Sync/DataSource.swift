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
  public var licence: String
  /// The line to show beside the data.
  public var attribution: String

  /// Creates a description of a source.
  public init(
    name: String, chineseName: String, publisher: String, page: URL, licence: String,
    attribution: String
  ) {
    self.name = name
    self.chineseName = chineseName
    self.publisher = publisher
    self.page = page
    self.licence = licence
    self.attribution = attribution
  }

  /// The English name.
  public var id: String { name }

  /// The English name and the publisher.
  public var description: String { "\(name), \(publisher)".printable }
}
