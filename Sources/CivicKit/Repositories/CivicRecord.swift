public import FieldCore

/// What a directory keeps: a row of one of its tables, or all links of one id.
///
/// All tables are in one store, so that a synchronisation is one commit. The links of one id are one
/// record, since they are replaced together.
public enum CivicRecord: StoredRecord, Hashable {
  /// A unit.
  case unit(CivicUnit)
  /// A category.
  case category(UnitCategory)
  /// The categories that one unit is in.
  case memberships(CivicUnit.ID, [UnitMembership])
  /// A keyword.
  case keyword(CivicKeyword)
  /// The keywords that one unit or category is tied to.
  case keywordLinks(String, [KeywordLink])
  /// The words that mean one unit.
  case synonyms(CivicUnit.ID, [UnitSynonym])
  /// A banner.
  case banner(CivicBanner)
  /// An app.
  case app(CivicApp)
  /// A page of the guide.
  case instruction(InstructionPage)
  /// What was searched for once.
  case search(SearchEntry)
  /// That something was started before.
  case launch(LaunchFlag)
  /// An activity of the table `hot`.
  case activity(CityActivity)

  /// The key: the table, and the key in it.
  public struct ID: Sendable, Hashable, Codable {
    /// Which of the tables.
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

  /// How many rows of its table the record stands for.
  var rowCount: Int {
    switch self {
    case .memberships(_, let links): links.count
    case .keywordLinks(_, let links): links.count
    case .synonyms(_, let synonyms): synonyms.count
    default: 1
    }
  }
}
