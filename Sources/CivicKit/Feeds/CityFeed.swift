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

// MARK: - Tainan

extension CityFeed {
  /// News of Tainan's city government (市府新聞).
  public static var tainanNews: CityFeed {
    tainan(.news, "24474215983F6554", id: "tainan.news", "市府新聞")
  }
  /// Hot activities in Tainan (熱門活動).
  public static var tainanActivities: CityFeed {
    tainan(.activities, "7D6B9BB2B62B80A5", id: "tainan.activities", "熱門活動")
  }
  /// News of Tainan's agencies (機關新聞).
  public static var tainanAgencyNews: CityFeed {
    tainan(.news, "9B973A5871579AC7", id: "tainan.agencyNews", "機關新聞")
  }
  /// Announcements of Tainan's city government (市政公告).
  public static var tainanAnnouncements: CityFeed {
    tainan(.news, "0C669D9634F511BC", id: "tainan.announcements", "市政公告")
  }
  /// News of Tainan's Labor Affairs Bureau (勞工).
  public static var tainanLabor: CityFeed {
    tainan(.news, "4933DB35000610C4", id: "tainan.labour", "勞工")
  }
  /// News of Tainan's Bureau of Education (教育局).
  public static var tainanEducation: CityFeed {
    tainan(.news, "B2C9ACBE62E87999", id: "tainan.education", "教育局")
  }
  /// Reminders from the mayor of Tainan (市長提示).
  public static var tainanMayor: CityFeed {
    tainan(.news, "DCD4BE1106ED5B01", id: "tainan.mayor", "市長提示")
  }
  /// Corrections of false reports about Tainan (澄清專區).
  public static var tainanClarifications: CityFeed {
    tainan(.news, "29B3D06675FAF607", id: "tainan.clarifications", "澄清專區")
  }
  /// Meetings of Tainan's city government (市政會議).
  public static var tainanMeetings: CityFeed {
    tainan(.news, "455B2352278A7C8D", id: "tainan.meetings", "市政會議")
  }

  /// The feeds of the old app at their current addresses: the news and the hot activities.
  public static var tainan: [CityFeed] { [.tainanNews, .tainanActivities] }

  /// Creates a feed from the number of a channel of Tainan's website, which follows `SN=` in its
  /// address.
  ///
  /// The channels are those that the project kiang/www.tainan.gov.tw reads.
  public static func tainan(_ kind: Kind, channel: String, name: String? = nil) throws -> CityFeed {
    let address = try PercentEncoding.url(channels, adding: [("SN", channel)])
    let id = ID(rawValue: "tainan.\(channel)")
    return CityFeed(kind, at: address, id: id, name: name, dataSource: .tainanFeeds)
  }

  private static func tainan(_ kind: Kind, _ channel: String, id: ID, _ name: String) -> CityFeed {
    let address = channels.appending(queryItems: [URLQueryItem(name: "SN", value: channel)])
    return CityFeed(kind, at: address, id: id, name: name, dataSource: .tainanFeeds)
  }

  private static var channels: URL { URL(literal: "https://www.tainan.gov.tw/OpenData.aspx") }
}

extension DataSource {
  /// The feeds of Tainan's city government.
  public static var tainanFeeds: DataSource {
    DataSource(
      name: "Tainan City Government feeds",
      chineseName: "臺南市政府全球資訊網 RSS",
      publisher: "臺南市政府",
      page: URL(literal: "https://www.tainan.gov.tw"),
      license: "As the site's declaration of open data (政府網站資料開放宣告) says.",
      attribution: "臺南市政府")
  }
}
