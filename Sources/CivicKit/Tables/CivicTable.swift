/// A table of the old app's database, by the name that it and the sync server have for it.
public struct CivicTable: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The name, such as `administrativeUnit`.
  public let rawValue: String

  /// Makes a table from its name; one of ``all`` is found whatever the case of its letters, since files
  /// and databases write `administrativeunit` too.
  public init(rawValue: String) {
    let name = rawValue.lowercased()
    self.rawValue = Self.names.first { $0.lowercased() == name } ?? rawValue
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  /// The name.
  public var description: String { rawValue }

  /// ``CivicUnit``.
  public static var units: Self { Self(known: "administrativeUnit") }
  /// ``UnitCategory``.
  public static var categories: Self { Self(known: "administrativeUnitCategory") }
  /// ``UnitMembership``.
  public static var memberships: Self { Self(known: "administrativeUnitInCategory") }
  /// ``CivicKeyword``.
  public static var keywords: Self { Self(known: "keyword") }
  /// ``KeywordLink``.
  public static var keywordLinks: Self { Self(known: "inKeyword") }
  /// ``UnitSynonym``; never synchronised.
  public static var synonyms: Self { Self(known: "mappingKeyword") }
  /// ``CivicBanner``.
  public static var banners: Self { Self(known: "edm") }
  /// ``CityActivity``; what the feeds return of activities is kept by ``CityFeeds``.
  public static var activities: Self { Self(known: "hot") }
  /// ``CivicApp``.
  public static var apps: Self { Self(known: "mobileApp") }
  /// ``InstructionPage``; never synchronised.
  public static var instructions: Self { Self(known: "instruction") }
  /// ``SearchEntry``; never synchronised.
  public static var searchHistory: Self { Self(known: "searchCache") }

  /// The eleven tables.
  public static var all: [Self] { names.map { Self(known: $0) } }

  /// The tables that a server has, in the order in which the old app asked for them.
  public static var synchronised: [Self] {
    [.units, .categories, .memberships, .keywords, .keywordLinks, .banners, .apps]
  }

  private static let names = [
    "administrativeUnit", "administrativeUnitCategory", "administrativeUnitInCategory", "keyword",
    "inKeyword", "mappingKeyword", "edm", "hot", "mobileApp", "instruction", "searchCache",
  ]
}
