public import FieldCore
public import FieldFoundation

/// A feed of a city: where it is, and what it is about.
///
/// ```swift
/// let feeds: [CityFeed] = [.tainanNews, .tainanActivities, CityFeed(.news, at: address)]
/// ```
///
/// Many cities of Taiwan have their pages from the same maker (`OpenData.aspx?SN=…`), and any feed in RSS
/// or Atom will do.
public struct CityFeed: Identifiable, Sendable, Hashable, Codable {
  /// What tells the feed from others, also after a restart.
  public var id: ID
  /// What the feed is about.
  public var kind: Kind
  /// The name to show, in the city's language; nil when only the feed itself knows.
  public var name: String?
  /// Where the feed is.
  public var address: URL
  /// The zone of dates that state none.
  public var zone: FixedZone
  /// What to name beside the items.
  public var dataSource: DataSource?

  /// Makes a feed by its address.
  ///
  /// - Parameters:
  ///   - kind: What the feed is about.
  ///   - address: Where the feed is.
  ///   - id: What tells it from others; the address unless told otherwise. Give one where the address may
  ///     change, so that what is hidden stays hidden.
  ///   - name: The name to show.
  ///   - zone: The zone of dates that state none.
  ///   - dataSource: What to name beside the items.
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

  /// What a feed is about: an open set of names.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String
    /// Makes a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the kind.
    public var description: String { rawValue }

    /// News: read by ``CityFeeds/news()``.
    public static var news: Self { Self(rawValue: "news") }
    /// Activities: read by ``CityFeeds/activities(includingHidden:)``, where people can hide them.
    public static var activities: Self { Self(rawValue: "activities") }
  }
}

extension CityFeed: CustomStringConvertible {
  /// The kind of feed and its address.
  public var description: String { "\(kind): \(address.absoluteString)".printable }
}
