public import FieldFoundation

/// A picture, a document or a voice of an animal or a plant.
public struct ZooMedia: Sendable, Hashable, Codable {
  /// The number of its columns, from 1: the zoo leaves out numbers in between.
  public var number: Int
  /// Where it is; nil when the source has a caption alone, or a text that is no address, which then is
  /// among the record's `unreadable` texts.
  public var link: ZooLink?
  /// What is to be seen or heard, in Chinese.
  public var caption: String?

  /// Makes an entry.
  public init(number: Int, link: ZooLink?, caption: String? = nil) {
    self.number = number
    self.link = link
    self.caption = caption
  }

  /// The address.
  public var url: URL? { link?.url }
}

extension ZooMedia: Identifiable {
  /// The number of its columns.
  public var id: Int { number }
}
