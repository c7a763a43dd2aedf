public import FieldCore
public import FieldFoundation
public import FieldXML

/// An activity in a city, which the user can hide.
///
/// Source: a feed of the city, or the table `hot`.
public struct CityActivity: Identifiable, Sendable, Hashable, Codable {
  /// The activity as a piece of news.
  public var news: NewsItem
  /// A Boolean value that indicates whether the user has hidden the activity.
  ///
  /// The value survives refreshes and restarts.
  public var isHidden: Bool

  /// Creates an activity from a piece of news.
  public init(_ news: NewsItem, isHidden: Bool = false) {
    self.news = news
    self.isHidden = isHidden
  }

  /// Creates an activity that isn't from a feed.
  public init(
    id: ID, title: String, link: URL? = nil, description: String? = nil, published: Date? = nil,
    isHidden: Bool = false
  ) {
    self.init(
      NewsItem(
        id: id, feed: .table, title: title, link: link, description: description,
        published: published), isHidden: isHidden)
  }

  /// The identifier of the activity.
  public var id: NewsItem.ID { news.id }
  /// The feed that contains the activity.
  public var feed: CityFeed.ID { news.feed }
  /// The title on one line, without markup; empty if there is none.
  public var title: String { news.title }
  /// The address of the page with the full text.
  public var link: URL? { news.link }
  /// The description as the feed contains it.
  public var description: String? { news.description }
  /// The date of publication (發布日期), if known.
  public var published: Date? { news.published }
  /// The authors.
  public var authors: [FeedPerson] { news.authors }
  /// The attached files.
  public var enclosures: [FeedMedia] { news.enclosures }
  /// The pictures and other media of the activity itself.
  public var media: [FeedMedia] { news.media }
  /// The description without markup.
  public var plainText: String { news.plainText }
  /// The description as sanitized HTML.
  public var safeHTML: String { news.safeHTML }
}

extension RecordID where Subject == CityFeed {
  /// The feed ID of activities in the table `hot`.
  public static var table: Self { "hot" }
}
