/// A table of the old app's database, under the name that the sync server also uses.
public struct CivicTable: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name, such as `administrativeUnit`.
  public let rawValue: String

  /// Creates a table from its name.
  ///
  /// The names of the tables in ``all`` match in any case, because files and databases also write
  /// `administrativeunit`.
  public init(rawValue: String) {
    let name = rawValue.lowercased()
    let known = Self.all.first { $0.rawValue.lowercased() == name }
    self.rawValue = known?.rawValue ?? rawValue
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// The table of ``CivicUnit`` rows.
  public static var units: Self { Self(known: "administrativeUnit") }
  /// The table of ``UnitCategory`` rows.
  public static var categories: Self { Self(known: "administrativeUnitCategory") }
  /// The table of ``UnitMembership`` rows.
  public static var memberships: Self { Self(known: "administrativeUnitInCategory") }
  /// The table of ``CivicKeyword`` rows.
  public static var keywords: Self { Self(known: "keyword") }
  /// The table of ``KeywordLink`` rows.
  public static var keywordLinks: Self { Self(known: "inKeyword") }
  /// The table of ``UnitSynonym`` rows, which is never synchronized.
  public static var synonyms: Self { Self(known: "mappingKeyword") }
  /// The table of ``CivicBanner`` rows.
  public static var banners: Self { Self(known: "edm") }
  /// The table of ``CityActivity`` rows; ``CityFeeds`` keeps the activities of the feeds.
  public static var activities: Self { Self(known: "hot") }
  /// The table of ``CivicApp`` rows.
  public static var apps: Self { Self(known: "mobileApp") }
  /// The table of ``InstructionPage`` rows, which is never synchronized.
  public static var instructions: Self { Self(known: "instruction") }
  /// The table of ``SearchEntry`` rows, which is never synchronized.
  public static var searchHistory: Self { Self(known: "searchCache") }

  /// The eleven tables.
  public static var all: [Self] {
    [
      .units, .categories, .memberships, .keywords, .keywordLinks, .synonyms, .banners,
      .activities, .apps, .instructions, .searchHistory,
    ]
  }

  /// The tables that a server has, in the order in which the old app requested them.
  public static var synchronized: [Self] {
    [.units, .categories, .memberships, .keywords, .keywordLinks, .banners, .apps]
  }
}
