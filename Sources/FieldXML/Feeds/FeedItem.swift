public import FieldFoundation

/// An entry of a feed, as the feed contains it.
///
/// Texts are trimmed but otherwise unchanged, including markup; use ``plainTitle`` and ``text`` to
/// display them. Properties that the feed doesn't provide are `nil`.
public struct FeedItem: Sendable, Hashable, Codable {
  /// The title, which may contain markup; empty if there is none.
  public var title: String
  /// The address of the article, which is the link, or the ID if that is an address and there is no
  /// link.
  ///
  /// Only web addresses are used. Blanks and line breaks around and inside the address are removed,
  /// and invalid characters are encoded.
  public var link: URL?
  /// The link as written, even if it is `javascript:void(0)`.
  public var rawLink: String?
  /// The ID in the feed: `guid`, `id`, or `rdf:about`.
  public var guid: String?
  /// The description or summary as written; `nil` if it is missing or blank.
  public var description: String?
  /// The full article, if the feed contains it in addition to the description.
  public var content: String?
  /// The date on which the article was published or else updated; `nil` if there is none or it
  /// can't be parsed.
  public var published: Date?
  /// The text of the date, even if it couldn't be parsed.
  public var publishedText: String?
  /// The categories or tags, in the order of the feed.
  public var categories: [String]
  /// The authors (`author` and `dc:creator`), which default to those of the feed in Atom.
  public var authors: [FeedPerson]
  /// The contributors: `contributor` and `dc:contributor`.
  public var contributors: [FeedPerson]
  /// The attached files: `enclosure`, and links with `rel="enclosure"`.
  public var enclosures: [FeedMedia]
  /// The files and pictures of Media RSS and of `itunes:image`, in the order of the feed.
  public var media: [FeedMedia]

  /// Creates an item.
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

  /// The article, or else the description, as text that can be displayed.
  public var text: HTMLText { HTMLText(content ?? description ?? "") }
}

extension FeedItem: Identifiable {
  /// The feed's own ID for the item, or else its address, or else its title.
  public var id: String { guid ?? rawLink ?? title }
}

// The synthesized `init(from:)` uses these overloads to decode items that older versions wrote.
extension KeyedDecodingContainer {
  func decode(_ type: [FeedPerson].Type, forKey key: Key) throws -> [FeedPerson] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: [FeedMedia].Type, forKey key: Key) throws -> [FeedMedia] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}
