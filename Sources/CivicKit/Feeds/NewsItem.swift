public import FieldFoundation
public import FieldXML

/// A piece of a city's news.
///
/// Properties that the feed doesn't provide are `nil`. ``title`` is plain text. ``description`` is
/// as the feed contains it; use ``plainText`` or ``safeHTML`` to display it.
public struct NewsItem: Identifiable, Sendable, Hashable, Codable {
  /// The identifier of the item within its feed, which stays the same across refreshes.
  public var id: ID
  /// The feed that contains the item.
  public var feed: CityFeed.ID
  /// The title on one line, without markup; empty if the feed has none.
  public var title: String
  /// The address of the page with the full text.
  public var link: URL?
  /// The description as the feed contains it, usually HTML.
  public var description: String?
  /// The date of publication; `nil` if the feed has none or it can't be parsed.
  public var published: Date?
  /// The text that ``published`` was parsed from.
  public var publishedText: String?
  /// The categories or tags.
  public var categories: [String]
  /// The authors.
  public var authors: [FeedPerson]
  /// The attached files.
  public var enclosures: [FeedMedia]
  /// The pictures and other media of the article itself.
  public var media: [FeedMedia]

  /// Creates a piece of news.
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

  /// The description without markup, with one line for each paragraph; empty if there is none.
  public var plainText: String { HTMLText(description ?? "").plainText }

  /// The description as sanitized HTML; empty if there is none.
  ///
  /// It is rebuilt from the parsed text and contains only known elements and safe links.
  public var safeHTML: String { HTMLText(description ?? "").safeHTML(relativeTo: link) }
}

// The synthesized `init(from:)` uses these overloads to decode items that older versions stored.
extension KeyedDecodingContainer {
  func decode(_ type: [FeedPerson].Type, forKey key: Key) throws -> [FeedPerson] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: [FeedMedia].Type, forKey key: Key) throws -> [FeedMedia] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}
