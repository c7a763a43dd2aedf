public import FieldCore
public import FieldFoundation

/// A record in the store of feeds: an item of a feed, or the health of a feed.
public enum FeedRecord: StoredRecord, Hashable {
  /// An item of a feed.
  case item(StoredItem)
  /// The health of a feed.
  case health(FeedHealth)

  /// An item of a feed, with the data that isn't from the feed.
  public struct StoredItem: Codable, Hashable, Sendable {
    /// The item as the feed contains it.
    public var news: NewsItem
    /// A Boolean value that indicates whether the user has hidden the item.
    public var isHidden = false
    /// The date on which the item was first seen, which sorts items that have no date.
    public var firstSeen: Date
    /// The position among the items that were first seen with it.
    public var place: Int

    /// The date on which the user read the item; `nil` if it is unread.
    public var readOn: Date?

    /// The date to sort by.
    var date: Date { news.published ?? firstSeen }
  }

  /// The kind, the feed, and the item, separated by characters that occur in no ID.
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
