public import FieldFoundation

/// Where a kit's data comes from, to be named beside it: many open data licences ask for that.
public struct DataSource: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name in English.
  public var name: String
  /// The name in Chinese, as used in Taiwan.
  public var chineseName: String
  /// Who publishes the data.
  public var publisher: String
  /// The page that describes the data.
  public var page: URL
  /// The licence, or what stands in its place, in the publisher's words.
  public var licence: String
  /// The line to show beside the data.
  public var attribution: String

  /// Makes a description of a source.
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
