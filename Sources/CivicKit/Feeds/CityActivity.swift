public import FieldFoundation
public import FieldXML

/// An activity in a city, which people can hide.
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
