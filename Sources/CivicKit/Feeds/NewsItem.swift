public import FieldFoundation
public import FieldXML

/// A piece of a city's news.
///
/// What the feed lacks is nil. ``title`` is plain text; the description is as the feed has it, and
/// ``plainText`` and ``safeHTML`` are made of it to be read or shown.
public struct NewsItem: Identifiable, Sendable, Hashable, Codable {
  /// What tells the piece from others, in this feed and from one refresh to the next.
  public var id: ID
  /// The feed that it came with.
  public var feed: CityFeed.ID
  /// The title on one line, without markup; empty when the feed has none.
  public var title: String
  /// The page with the whole text.
  public var link: URL?
  /// The description as the feed has it: HTML, as a rule.
  public var description: String?
  /// When it was published; nil when the feed does not say so in a way that can be read.
  public var published: Date?
  /// The text that ``published`` was read from.
  public var publishedText: String?
  /// The categories or tags.
  public var categories: [String]
  /// The authors.
  public var authors: [FeedPerson]
  /// The attached files.
  public var enclosures: [FeedMedia]
  /// The pictures and other media of the article itself.
  public var media: [FeedMedia]

  /// Makes a piece of news.
  public init(
    id: ID, feed: CityFeed.ID, title: String, link: URL? = nil, description: String? = nil,
    published: Date? = nil, publishedText: String? = nil, categories: [String] = [],
    authors: [FeedPerson] = [], enclosures: [FeedMedia] = [], media: [FeedMedia] = []
  ) {
    self.id = id
    self.feed = feed
    self.title = title
    self.link = link
    self.description = description
    self.published = published
    self.publishedText = publishedText
    self.categories = categories
    self.authors = authors
    self.enclosures = enclosures
    self.media = media
  }

  /// The description without markup, a line for each paragraph; empty when there is none.
  public var plainText: String { HTMLText(description ?? "").plainText }

  /// The description as HTML that can do no harm: known elements and links of the web only, written anew
  /// from what was read. Empty when there is none.
  public var safeHTML: String { HTMLText(description ?? "").safeHTML(relativeTo: link) }
}

// The synthesized `init(from:)` of an item uses these, so that it reads items that older versions stored.
extension KeyedDecodingContainer {
  func decode(_ type: [FeedPerson].Type, forKey key: Key) throws -> [FeedPerson] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: [FeedMedia].Type, forKey key: Key) throws -> [FeedMedia] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}
