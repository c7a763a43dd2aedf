public import FieldCore

/// A record of a directory: a row of one of its tables, or all links of one ID.
///
/// All tables are in one store, so a sync is one commit. The links of one ID are one record because
/// they are replaced together. Rows of small tables are stored indirectly, so that the many units
/// are copied as single references.
public enum CivicRecord: StoredRecord, Hashable {
  /// A unit.
  case unit(CivicUnit)
  /// A category.
  indirect case category(UnitCategory)
  /// The categories that one unit is in.
  case memberships(CivicUnit.ID, [UnitMembership])
  /// A keyword.
  indirect case keyword(CivicKeyword)
  /// The keywords that one unit or category is linked to.
  case keywordLinks(String, [KeywordLink])
  /// The synonyms of one unit.
  case synonyms(CivicUnit.ID, [UnitSynonym])
  /// A banner.
  indirect case banner(CivicBanner)
  /// An app.
  indirect case app(CivicApp)
  /// A page of the guide.
  indirect case instruction(InstructionPage)
  /// An entry of the search history.
  case search(SearchEntry)
  /// A flag that records an earlier launch.
  case launch(LaunchFlag)
  /// An activity of the table `hot`.
  indirect case activity(CityActivity)

  /// The key: the table and the key within it.
  public struct ID: Sendable, Hashable, Codable {
    /// The table.
    package enum Table: UInt8, Sendable, Hashable, Codable {
      case unit, category, memberships, keyword, keywordLinks, synonyms, banner, app, instruction
      case search, launch, activity
    }

    package let table: Table
    package let key: String

    package init(_ table: Table, _ key: String) {
      self.table = table
      self.key = key
    }
  }

  /// The key of the record.
  public var id: ID {
    switch self {
    case .unit(let unit): ID(.unit, unit.id.rawValue)
    case .category(let category): ID(.category, category.id.rawValue)
    case .memberships(let id, _): ID(.memberships, id.rawValue)
    case .keyword(let keyword): ID(.keyword, keyword.id.rawValue)
    case .keywordLinks(let id, _): ID(.keywordLinks, id)
    case .synonyms(let id, _): ID(.synonyms, id.rawValue)
    case .banner(let banner): ID(.banner, banner.id.rawValue)
    case .app(let app): ID(.app, app.id.rawValue)
    case .instruction(let page): ID(.instruction, String(page.id))
    case .search(let entry): ID(.search, entry.text)
    case .launch(let flag): ID(.launch, flag.rawValue)
    case .activity(let activity): ID(.activity, activity.id.rawValue)
    }
  }

  /// The unit that the record contains; `nil` if it contains something else.
  var unit: CivicUnit? { if case .unit(let unit) = self { unit } else { nil } }

  /// The number of table rows that the record contains.
  var rowCount: Int {
    switch self {
    case .memberships(_, let links): links.count
    case .keywordLinks(_, let links): links.count
    case .synonyms(_, let synonyms): synonyms.count
    default: 1
    }
  }
}
