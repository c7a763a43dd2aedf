public import FieldCore
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

// MARK: - ID

extension NewsItem {
  /// The identifier of a piece of news, which stays the same across refreshes.
  ///
  /// It is made from the article number in the address if the city's website uses them
  /// (`News_Content.aspx?n=13370&s=8828304`, where `n` is a channel and `s` the article). Otherwise
  /// it is the feed's own ID or, failing that, the address. The old app used the position in the
  /// feed, which belongs to another article tomorrow. An article that returns with another ID, but
  /// the same address and the same title or date, keeps its ID.
  public typealias ID = RecordID<NewsItem>
}

extension RecordID where Subject == NewsItem {
  /// Creates the ID that ``CityFeeds`` assigns to an item; `nil` if it has no address, ID, or
  /// title.
  public init?(of item: FeedItem) {
    if let link = item.link, let number = Self.articleNumber(in: link), let host = link.host() {
      self.init(rawValue: "\(host.lowercased())?s=\(number)")
    } else if let guid = item.guid {
      self.init(rawValue: Self.plain(guid))
    } else if let link = Self(of: item.link) {
      self = link
    } else if !item.plainTitle.isEmpty {
      // Only its title and date identify such an item.
      self.init(rawValue: "\(item.publishedText ?? "") \(item.plainTitle)")
    } else {
      return nil
    }
  }

  /// Creates the ID of an item that has only an address.
  init?(of link: URL?) {
    guard let link else { return nil }
    self.init(rawValue: Self.plain(link.absoluteString))
  }

  /// Returns the value of `s` if the address is that of an article on a website that many cities
  /// use.
  private static func articleNumber(in link: URL) -> String? {
    guard link.path().lowercased().hasSuffix(".aspx"), let query = link.query() else { return nil }
    let items = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    func value(_ name: String) -> Substring? {
      items.first { $0.count == 2 && $0[0].lowercased() == name }?[1]
    }
    guard let number = value("s"), value("n") != nil,
      number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return String(number)
  }

  /// Returns the text without a URL scheme and fragment, so that moving to `https` doesn't change
  /// the ID.
  private static func plain(_ text: String) -> String {
    let lowercased = text.prefix(8).lowercased()
    for scheme in ["https://", "http://"] where lowercased.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count).prefix { $0 != "#" })
    }
    return text
  }
}
