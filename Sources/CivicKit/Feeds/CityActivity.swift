public import FieldCore
public import FieldFoundation
public import FieldXML

/// An activity in a city, which people can hide.
///
/// Source: a feed of the city, or the table `hot`.
public struct CityActivity: Identifiable, Sendable, Hashable, Codable {
  /// What the feed says of it.
  public var news: NewsItem
  /// Whether the user has hidden it. That survives refreshes and restarts.
  public var isHidden: Bool

  /// Makes an activity.
  public init(_ news: NewsItem, isHidden: Bool = false) {
    self.news = news
    self.isHidden = isHidden
  }

  /// Creates an activity by hand, which came with no feed.
  public init(
    id: ID, title: String, link: URL? = nil, description: String? = nil, published: Date? = nil,
    isHidden: Bool = false
  ) {
    self.init(
      NewsItem(
        id: id, feed: .table, title: title, link: link, description: description,
        published: published), isHidden: isHidden)
  }

  /// What tells the activity from others.
  public var id: NewsItem.ID { news.id }
  /// The feed that it came with.
  public var feed: CityFeed.ID { news.feed }
  /// The title on one line, without markup; empty when the feed has none.
  public var title: String { news.title }
  /// The page with the whole text.
  public var link: URL? { news.link }
  /// The description as the feed has it.
  public var description: String? { news.description }
  /// When it was published: 發布日期.
  public var published: Date? { news.published }
  /// The authors.
  public var authors: [FeedPerson] { news.authors }
  /// The attached files.
  public var enclosures: [FeedMedia] { news.enclosures }
  /// The pictures and other media of the activity itself.
  public var media: [FeedMedia] { news.media }
  /// The description without markup.
  public var plainText: String { news.plainText }
  /// The description as HTML that can do no harm.
  public var safeHTML: String { news.safeHTML }
}

extension RecordID where Subject == CityFeed {
  /// What activities of the table `hot` have in place of a feed.
  public static var table: Self { "hot" }
}
