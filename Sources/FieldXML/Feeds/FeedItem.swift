public import FieldFoundation

/// An entry of a feed, as the feed has it.
///
/// Texts are trimmed and otherwise as they came, markup included; ``plainTitle`` and ``text`` are for
/// people. What the feed lacks is nil.
public struct FeedItem: Sendable, Hashable, Codable {
  /// The title; empty when there is none. It may hold markup.
  public var title: String
  /// The address of the article: the link, or the id where that is an address and there is no link.
  ///
  /// Only addresses of the web count. Blanks and line breaks around and within are gone, and what an
  /// address may not hold is encoded.
  public var link: URL?
  /// The link as it came, `javascript:void(0)` included.
  public var rawLink: String?
  /// The id that the feed gives: `guid`, `id` or `rdf:about`.
  public var guid: String?
  /// The description or summary, as it came; nil when it is missing or blank.
  public var description: String?
  /// The whole article, when the feed has it beside the description.
  public var content: String?
  /// When the article was published, or else updated; nil when the feed does not say, or not in a way
  /// that can be read.
  public var published: Date?
  /// The text that ``published`` was read from, readable or not.
  public var publishedText: String?
  /// The categories or tags, in the order of the feed.
  public var categories: [String]
  /// The authors: `author` and `dc:creator`. An Atom entry without an author has those of its feed.
  public var authors: [FeedPerson]
  /// The contributors: `contributor` and `dc:contributor`.
  public var contributors: [FeedPerson]
  /// The attached files: `enclosure`, and links with `rel="enclosure"`.
  public var enclosures: [FeedMedia]
  /// The files and pictures of Media RSS and of `itunes:image`, in the order of the feed.
  public var media: [FeedMedia]

  /// Makes an item.
  public init(
    title: String = "", link: URL? = nil, rawLink: String? = nil, guid: String? = nil,
    description: String? = nil, content: String? = nil, published: Date? = nil,
    publishedText: String? = nil, categories: [String] = [], authors: [FeedPerson] = [],
    contributors: [FeedPerson] = [], enclosures: [FeedMedia] = [], media: [FeedMedia] = []
  ) {
    self.title = title
    self.link = link
    self.rawLink = rawLink
    self.guid = guid
    self.description = description
    self.content = content
    self.published = published
    self.publishedText = publishedText
    self.categories = categories
    self.authors = authors
    self.contributors = contributors
    self.enclosures = enclosures
    self.media = media
  }

  /// The title on one line, without markup.
  public var plainTitle: String {
    HTMLText(title).plainText.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The article, or else the description, to be read as plain text or shown as safe HTML.
  public var text: HTMLText { HTMLText(content ?? description ?? "") }
}

extension FeedItem: Identifiable {
  /// The feed's own ID of the item, or else its address, or else its title.
  public var id: String { guid ?? rawLink ?? title }
}

// The synthesized `init(from:)` of an item uses these, so that it reads items that older versions wrote.
extension KeyedDecodingContainer {
  func decode(_ type: [FeedPerson].Type, forKey key: Key) throws -> [FeedPerson] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: [FeedMedia].Type, forKey key: Key) throws -> [FeedMedia] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}
