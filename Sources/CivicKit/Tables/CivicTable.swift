internal import FieldCore

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

// MARK: - Columns

extension CivicTable {
  /// The columns of the table's rows that are read; a row has no other cells.
  ///
  /// A column that is added here arrives with the next sync, although its rows haven't changed: see ``reading``.
  var columns: [RowColumn] { Self.columnsByTable[self] ?? [] }

  /// How the rows of all tables are read. If anything but the columns changes, it gets the next number.
  ///
  /// Checkpoints name the columns of the first version by the number alone.
  static let reading: String = {
    let reading = CivicRecord.fingerprint("civic/1", columns: all.flatMap(\.columns))
    return reading == "civic/1 97767029" ? "civic/1" : reading
  }()

  /// The names of the columns, in lowercase.
  var columnNames: Set<String> { Self.namesByTable[self] ?? [] }

  private static let namesByTable = columnsByTable.mapValues { columns in
    Set(columns.flatMap(\.names).map { $0.lowercased() })
  }

  private static let columnsByTable: [CivicTable: [RowColumn]] = [
    .units: [
      RowColumn("unitId"), RowColumn("name"), RowColumn("parentUnitId"), RowColumn("description"),
      RowColumn("tel"), RowColumn("fax"), RowColumn("email"), RowColumn("website"),
      RowColumn("keyword"), RowColumn("iconName"), RowColumn("fieldId"),
      RowColumn("nearByPathId"), RowColumn("x"), RowColumn("y"), RowColumn("createTime"),
    ],
    .categories: [
      RowColumn("categoryId"), RowColumn("name"), RowColumn("description"),
      RowColumn("iconName"), RowColumn("keyword"), RowColumn("createTime"),
    ],
    .memberships: [RowColumn("unitId"), RowColumn("categoryId")],
    .keywords: [
      RowColumn("keywordId"), RowColumn("keyword"), RowColumn("rank"), RowColumn("description"),
      RowColumn("createTime"),
    ],
    .keywordLinks: [RowColumn("id"), RowColumn("keywordId")],
    .synonyms: [RowColumn("unitId"), RowColumn("keyword")],
    .banners: [
      RowColumn("edmId"), RowColumn("edmName"), RowColumn("edmURL"), RowColumn("edmImage"),
      RowColumn("edmEndDay"),
    ],
    .activities: [
      RowColumn("id"), RowColumn("hotTitle"), RowColumn("hotLink"), RowColumn("hotDescription"),
      RowColumn("hotDate"),
    ],
    .apps: [
      RowColumn("appId"), RowColumn("appName"), RowColumn("appURL"),
      RowColumn("appIOSUrl", "iosAppUrl"), RowColumn("appImage"),
    ],
    .instructions: [RowColumn("id"), RowColumn("name"), RowColumn("read")],
    .searchHistory: [RowColumn("searchKeyword")],
  ].mapValues { $0 + [RowColumn("lastUpdateTime"), RowColumn("isDelete")] }

  /// Returns the order of day and month in the dates that the rows of the table write as text.
  func dateOrder(in rows: [JSONValue]) -> DateOrder {
    var order = DateOrder()
    let column: String
    switch self {
    case .activities: column = "hotDate"
    case .banners: column = "edmEndDay"
    default: return order
    }
    // The order doesn't depend on the zone.
    let parser = TimestampParser(zone: .utc)
    for row in rows {
      guard let text = CivicRow(row, of: self)?.key(column) else { continue }
      _ = parser.instant(CityActivity.unwrapped(text), noting: &order)
    }
    return order
  }
}
