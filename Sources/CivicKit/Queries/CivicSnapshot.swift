internal import FieldCore
public import FieldFoundation

/// A whole directory as one value, which can be written as JSON and read back.
///
/// A snapshot contains the eleven tables, the items of the feeds, the hidden activities, and the
/// launch flags. It doesn't contain the directory's progress with its server and feeds, which
/// belongs to the device.
public struct CivicSnapshot: Sendable, Hashable, Codable {
  /// The version of the format: 2, or 1 if an older version of the package wrote it.
  public var version: Int
  /// All units.
  public var units: [CivicUnit]
  /// All categories.
  public var categories: [UnitCategory]
  /// The memberships of units in categories.
  public var memberships: [UnitMembership]
  /// All keywords.
  public var keywords: [CivicKeyword]
  /// The links of units and categories to keywords.
  public var keywordLinks: [KeywordLink]
  /// The synonyms of units.
  public var synonyms: [UnitSynonym]
  /// All banners.
  public var banners: [CivicBanner]
  /// All apps.
  public var apps: [CivicApp]
  /// The pages of the guide.
  public var instructions: [InstructionPage]
  /// The search history, oldest first.
  public var searchHistory: [SearchEntry]
  /// The activities of the table `hot`, hidden ones included; `nil` in version 1.
  public var activities: [CityActivity]?
  /// The news and activities of the feeds, hidden ones included; `nil` in version 1.
  public var feedItems: [FeedRecord.StoredItem]?
  /// The launch flags; `nil` in version 1.
  public var launchFlags: [LaunchFlag]?

  /// The version that this package writes.
  public static var currentVersion: Int { 2 }

  /// Creates a snapshot from all tables of a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - feedItems: The items of the feeds. Defaults to `nil`; restoring the snapshot then leaves
  ///     the news and activities of the feeds as they are.
  public init(_ view: CivicView, feedItems: [FeedRecord.StoredItem]? = nil) {
    version = Self.currentVersion
    units = view.units
    categories = view.categories
    memberships = view.memberships
    keywords = view.keywords
    keywordLinks = view.keywordLinks
    synonyms = view.synonyms
    banners = view.banners
    apps = view.apps
    instructions = view.instructions
    searchHistory = view.searchHistory
    activities = view.activities
    self.feedItems = feedItems
    launchFlags = view.launchFlags
  }

  /// The IDs of the activities that the user has hidden.
  public var hiddenActivities: Set<CityActivity.ID> {
    Set((feedItems ?? []).filter(\.isHidden).map(\.news.id))
      .union((activities ?? []).filter(\.isHidden).flatMap(\.names))
  }

  /// Creates a snapshot from its JSON.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed` if the data isn't a snapshot, and
  ///   `store.newerFormat` if a newer version of the package wrote it.
  public init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    do {
      let version = try decoder.decode(Version.self, from: json).version
      guard version <= Self.currentVersion else {
        throw FieldError(
          .newerFormat,
          "The directory has version \(version), but \(Self.currentVersion) is the newest "
            + "known. Update the app.")
      }
      self = try decoder.decode(Self.self, from: json)
    } catch {
      throw FieldError.wrapping(error, as: .malformed, "The data isn't a directory in JSON.")
    }
  }

  /// Returns the snapshot as JSON with sorted keys and dates in Unix seconds.
  ///
  /// Equal snapshots produce equal bytes.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    do {
      return try encoder.encode(self)
    } catch {
      throw FieldError(.malformed, "The directory can't be written as JSON.", underlying: error)
    }
  }

  private struct Version: Decodable { var version: Int }

  /// The records of the snapshot; if two rows have the same key, the later one is used.
  var records: [CivicRecord] {
    var records = units.map(CivicRecord.unit) + categories.map(CivicRecord.category)
    records += Self.grouped(memberships)
    records += keywords.map(CivicRecord.keyword)
    records += Self.grouped(keywordLinks) + Self.grouped(synonyms)
    records += banners.map(CivicRecord.banner) + apps.map(CivicRecord.app)
    records += instructions.map(CivicRecord.instruction)
    records += searchHistory.map(CivicRecord.search)
    records += (launchFlags ?? []).map(CivicRecord.launch)
    return records + (activities ?? []).map(CivicRecord.activity)
  }

  /// Returns whether a record stays in the directory when the snapshot is restored.
  func keeps(_ record: CivicRecord) -> Bool {
    switch record {
    case .launch: true
    case .activity: activities == nil
    default: false
    }
  }

  /// Returns links as records, one for each owner.
  private static func grouped(_ links: [some CivicTableRow]) -> [CivicRecord] {
    var edit = CivicEdit(of: Snapshot([]))
    for link in links { edit.put(link) }
    return edit.records
  }
}
