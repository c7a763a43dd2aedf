public import FieldFoundation

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
