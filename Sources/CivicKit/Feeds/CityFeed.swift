public import FieldCore
public import FieldFoundation

/// A feed of a city: its address and its subject.
///
/// ```swift
/// let feeds: [CityFeed] = [.tainanNews, .tainanActivities, CityFeed(.news, at: address)]
/// ```
///
/// The websites of many Taiwanese cities come from the same vendor (`OpenData.aspx?SN=…`), but you
/// can use any RSS or Atom feed.
public struct CityFeed: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The identifier of the feed, which must stay the same across launches.
  public var id: ID
  /// The subject of the feed.
  public var kind: Kind
  /// The name to display, in the city's language; `nil` if only the feed itself states it.
  public var name: String?
  /// The address of the feed.
  public var address: URL
  /// The time zone of dates that don't state one.
  public var zone: FixedZone
  /// The source to credit beside the items.
  public var dataSource: DataSource?

  /// Creates a feed from its address.
  ///
  /// - Parameters:
  ///   - kind: The subject of the feed.
  ///   - address: The address of the feed.
  ///   - id: The identifier of the feed. Defaults to the address. Pass one if the address may
  ///     change, so that hidden activities stay hidden.
  ///   - name: The name to display.
  ///   - zone: The time zone of dates that don't state one. Defaults to Taipei's.
  ///   - dataSource: The source to credit beside the items.
  public init(
    _ kind: Kind, at address: URL, id: ID? = nil, name: String? = nil, zone: FixedZone = .taipei,
    dataSource: DataSource? = nil
  ) {
    self.id = id ?? ID(rawValue: address.absoluteString)
    self.kind = kind
    self.name = name
    self.address = address
    self.zone = zone
    self.dataSource = dataSource
  }

  /// The identifier of a feed.
  public typealias ID = RecordID<CityFeed>

  /// The subject of a feed, as an open set of names.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the kind.
    public var description: String { rawValue }

    /// News, which ``CityFeeds/news()`` returns.
    public static var news: Self { Self(rawValue: "news") }
    /// Activities, which ``CityFeeds/activities(includingHidden:)`` returns and the user can hide.
    public static var activities: Self { Self(rawValue: "activities") }
  }

  /// The kind and address of the feed.
  public var description: String { "\(kind): \(address.absoluteString)".printable }
}
