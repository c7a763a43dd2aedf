internal import FieldCore

/// The rows of all tables and their relations, built from a snapshot in one pass.
struct CivicTables: Sendable {
  private(set) var units: [CivicUnit] = []
  private(set) var categories: [UnitCategory] = []
  private(set) var memberships: [UnitMembership] = []
  private(set) var keywords: [CivicKeyword] = []
  private(set) var keywordLinks: [KeywordLink] = []
  private(set) var synonyms: [UnitSynonym] = []
  private(set) var banners: [CivicBanner] = []
  private(set) var apps: [CivicApp] = []
  private(set) var instructions: [InstructionPage] = []
  private(set) var searchHistory: [SearchEntry] = []
  private(set) var launchFlags: [LaunchFlag] = []
  private(set) var activities: [CityActivity] = []

  /// The positions in `units` of the units in a category, ascending.
  private(set) var unitsByCategory: [UnitCategory.ID: [Int]] = [:]
  /// The positions in `units` of the children of a unit, ascending.
  private(set) var unitsByParent: [CivicUnit.ID: [Int]] = [:]
  /// The keys of the units and categories that are linked to a keyword of a kind.
  private(set) var objectsByKind: [CategoryKind: Set<String>] = [:]

  init(of snapshot: Snapshot<CivicRecord>) {
    for record in snapshot {
      switch record {
      case .unit(let unit): units.append(unit)
      case .category(let category): categories.append(category)
      case .memberships(_, let links): memberships += links
      case .keyword(let keyword): keywords.append(keyword)
      case .keywordLinks(_, let links): keywordLinks += links
      case .synonyms(_, let rows): synonyms += rows
      case .banner(let banner): banners.append(banner)
      case .app(let app): apps.append(app)
      case .instruction(let page): instructions.append(page)
      case .search(let entry): searchHistory.append(entry)
      case .launch(let flag): launchFlags.append(flag)
      case .activity(let activity): activities.append(activity)
      }
    }
    join()
  }

  private mutating func join() {
    var positions: [CivicUnit.ID: Int] = [:]
    for (position, unit) in units.enumerated() {
      positions[unit.id] = position
      if let parent = unit.parentID { unitsByParent[parent, default: []].append(position) }
    }
    for link in memberships {
      guard let position = positions[link.unitID] else { continue }
      unitsByCategory[link.categoryID, default: []].append(position)
    }
    for category in unitsByCategory.keys { unitsByCategory[category]?.sort() }
    var kinds: [CivicKeyword.ID: CategoryKind] = [:]
    for keyword in keywords { kinds[keyword.id] = keyword.kind }
    for link in keywordLinks {
      guard let kind = kinds[link.keywordID] else { continue }
      objectsByKind[kind, default: []].insert(link.objectID)
    }
  }
}
