public import FieldCore
public import FieldFoundation

/// What the store of feeds keeps: the items of all feeds, and how each feed is doing.
public enum FeedRecord: StoredRecord, Hashable {
  /// An item of a feed.
  case item(StoredItem)
  /// How a feed is doing.
  case health(FeedHealth)

  /// An item with what the feed does not know.
  public struct StoredItem: Codable, Hashable, Sendable {
    /// What the feed says of it.
    public var news: NewsItem
    /// Whether the user has hidden it.
    public var isHidden = false
    /// When it was first seen, which dates what has no date.
    public var firstSeen: Date
    /// Its place among those that were first seen with it.
    public var place: Int

    /// What it is sorted by.
    var date: Date { news.published ?? firstSeen }
  }

  /// The kind, the feed and the item, parted by characters that no id has.
  public var id: String {
    switch self {
    case .item(let item): Self.id(item.news.id, of: item.news.feed)
    case .health(let health): Self.healthID(health.id)
    }
  }

  static func id(_ item: NewsItem.ID, of feed: CityFeed.ID) -> String {
    "i\u{1F}\(feed.rawValue)\u{1F}\(item.rawValue)"
  }

  static func healthID(_ feed: CityFeed.ID) -> String { "h\u{1F}\(feed.rawValue)" }

  /// The name of the type in store files.
  public static var storedName: String { "CityFeedRecord" }
}
