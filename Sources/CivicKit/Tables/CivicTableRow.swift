internal import FieldCore

/// A type whose values are rows of one of the directory's tables.
///
/// The types in this module conform; you don't need to add conformances.
public protocol CivicTableRow: Identifiable, Hashable, Codable, Sendable {
  /// The mapping of rows to a directory's records. Not for use.
  @_documentation(visibility: internal)
  static var rowTable: CivicRowTable<Self> { get }
}

extension CivicTableRow {
  /// The table that contains the rows.
  public static var table: CivicTable { rowTable.table }
}

// MARK: - Rows

extension CivicUnit: CivicTableRow {
  /// The rows of ``CivicTable/units``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .units, .unit, \.units, key: \.rawValue, column: "unitId", name: \.name,
    record: CivicRecord.unit
  ) { if case .unit(let row) = $0 { row } else { nil } }
}

extension UnitCategory: CivicTableRow {
  /// The rows of ``CivicTable/categories``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .categories, .category, \.categories, key: \.rawValue, column: "categoryId", name: \.name,
    record: CivicRecord.category
  ) { if case .category(let row) = $0 { row } else { nil } }
}

extension CivicKeyword: CivicTableRow {
  /// The rows of ``CivicTable/keywords``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .keywords, .keyword, \.keywords, key: \.rawValue, column: "keywordId", name: \.text,
    record: CivicRecord.keyword
  ) { if case .keyword(let row) = $0 { row } else { nil } }
}

extension CivicBanner: CivicTableRow {
  /// The rows of ``CivicTable/banners``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .banners, .banner, \.banners, key: \.rawValue, column: "edmId", name: \.name,
    record: CivicRecord.banner
  ) { if case .banner(let row) = $0 { row } else { nil } }
}

extension CityActivity: CivicTableRow {
  /// The rows of ``CivicTable/activities``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .activities, .activity, \.activities, key: \.rawValue, column: "id", name: \.title,
    record: CivicRecord.activity
  ) { if case .activity(let row) = $0 { row } else { nil } }
}

extension CivicApp: CivicTableRow {
  /// The rows of ``CivicTable/apps``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .apps, .app, \.apps, key: \.rawValue, column: "appId", name: \.name,
    record: CivicRecord.app
  ) { if case .app(let row) = $0 { row } else { nil } }
}

extension InstructionPage: CivicTableRow {
  /// The rows of ``CivicTable/instructions``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .instructions, .instruction, \.instructions, key: \.description, column: nil,
    record: CivicRecord.instruction
  ) { if case .instruction(let row) = $0 { row } else { nil } }
}

extension SearchEntry: CivicTableRow {
  /// The rows of ``CivicTable/searchHistory``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    .searchHistory, .search, \.searchHistory, key: \.self, column: "searchKeyword",
    record: CivicRecord.search
  ) { if case .search(let row) = $0 { row } else { nil } }
}

extension UnitMembership: CivicTableRow {
  /// The rows of ``CivicTable/memberships``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    table: .memberships, kind: .memberships, all: \.memberships, key: \.unitID.rawValue,
    columns: { [("unitId", $0.unitID.rawValue), ("categoryId", $0.categoryID.rawValue)] },
    record: { .memberships(CivicUnit.ID(rawValue: $0), $1) }
  ) { if case .memberships(_, let rows) = $0 { rows } else { nil } }
}

extension KeywordLink: CivicTableRow {
  /// The rows of ``CivicTable/keywordLinks``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    table: .keywordLinks, kind: .keywordLinks, all: \.keywordLinks, key: \.objectID,
    columns: { [("id", $0.objectID), ("keywordId", $0.keywordID.rawValue)] },
    record: { .keywordLinks($0, $1) }
  ) { if case .keywordLinks(_, let rows) = $0 { rows } else { nil } }
}

extension UnitSynonym: CivicTableRow {
  /// The rows of ``CivicTable/synonyms``.
  @_documentation(visibility: internal)
  public static let rowTable = CivicRowTable<Self>(
    table: .synonyms, kind: .synonyms, all: \.synonyms, key: \.unitID.rawValue,
    columns: { [("unitId", $0.unitID.rawValue), ("keyword", $0.text)] },
    record: { .synonyms(CivicUnit.ID(rawValue: $0), $1) }
  ) { if case .synonyms(_, let rows) = $0 { rows } else { nil } }
}
