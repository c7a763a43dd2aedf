public import FieldCore

/// A directory at one moment, to be asked without waiting: for hot loops and for SwiftUI.
///
/// A view never changes. It costs nothing to take; its tables and indexes are made at the first question
/// that needs them, and the index of the units' texts is carried over to later views.
///
/// Rows are in the order in which they first came to the directory, which is that of the source's tables:
/// a row that changes stays where it is.
public struct CivicView: Sendable, StoreView {
  package let snapshot: Snapshot<CivicRecord>
  /// What opening the stores cut off, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  let indexes: CivicIndexes

  package init(of snapshot: Snapshot<CivicRecord>, after earlier: CivicView? = nil) {
    self.snapshot = snapshot
    indexes = CivicIndexes(of: snapshot, after: earlier?.indexes)
  }

  /// The state of the store that the view shows.
  public var revision: Revision { snapshot.revision }

  /// How far the directory had come with its server.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  // MARK: The tables

  /// All units.
  public var units: [CivicUnit] { indexes.tables.units }
  /// All categories.
  public var categories: [UnitCategory] { indexes.tables.categories }
  /// Which unit is in which category, those of one unit together.
  public var memberships: [UnitMembership] { indexes.tables.memberships }
  /// All keywords.
  public var keywords: [CivicKeyword] { indexes.tables.keywords }
  /// What is tied to which keyword, those of one unit or category together.
  public var keywordLinks: [KeywordLink] { indexes.tables.keywordLinks }
  /// The words that mean units, those of one unit together.
  public var synonyms: [UnitSynonym] { indexes.tables.synonyms }
  /// All banners, past ones included.
  public var banners: [CivicBanner] { indexes.tables.banners }
  /// All apps.
  public var apps: [CivicApp] { indexes.tables.apps }
  /// The pages of the guide.
  public var instructions: [InstructionPage] { indexes.tables.instructions }
  /// What was searched for, the oldest first.
  public var searchHistory: [SearchEntry] { indexes.tables.searchHistory }
  /// The activities of the table `hot`, hidden ones included; those of the feeds are not among them.
  public var activities: [CityActivity] { indexes.tables.activities }
  /// What was started before, in the order in which it was noted.
  public var launchFlags: [LaunchFlag] { indexes.tables.launchFlags }

  /// The rows of a type.
  public func rows<Row: CivicTableRow>(_ type: Row.Type = Row.self) -> [Row] {
    Row.rowTable.all(self)
  }

  // MARK: Categories

  /// The categories of a kind, in the order of the table of categories.
  public func categories(of kind: CategoryKind) -> [UnitCategory] {
    let objects = indexes.tables.objectsByKind[kind] ?? []
    return categories.filter { objects.contains($0.id.rawValue) }
  }

  /// Returns the category with a name, such as the tile 廁所; `nil` if there is none.
  ///
  /// Names are folded as in a search, so 台 finds 臺. If several match, one that is spelled as `name` comes
  /// first, and then the order of the table counts.
  ///
  /// - Parameters:
  ///   - name: The whole name.
  ///   - kind: The kind of the category. Defaults to `nil`, which means any.
  public func category(named name: String, of kind: CategoryKind? = nil) -> UnitCategory? {
    let folded = TextFolding.fold(name)
    guard !folded.isEmpty else { return nil }
    let found = (kind.map(categories(of:)) ?? categories).filter {
      TextFolding.fold($0.name) == folded
    }
    return found.first { $0.name == name } ?? found.first
  }

  /// The category of this key; nil when there is none.
  public subscript(category id: UnitCategory.ID) -> UnitCategory? {
    guard case .category(let category)? = snapshot[id: CivicRecord.ID(.category, id.rawValue)]
    else { return nil }
    return category
  }

  // MARK: Units

  /// The unit of this key; nil when there is none.
  public subscript(id: CivicUnit.ID) -> CivicUnit? {
    guard case .unit(let unit)? = snapshot[id: CivicRecord.ID(.unit, id.rawValue)]
    else { return nil }
    return unit
  }

  /// The units in a category, in the order of the table of units; none when there is no such category.
  public func units(in category: UnitCategory.ID) -> [CivicUnit] {
    let tables = indexes.tables
    return (tables.unitsByCategory[category] ?? []).map { tables.units[$0] }
  }

  /// The units that are tied to a keyword of a kind themselves, in the order of the table of units.
  public func units(of kind: CategoryKind) -> [CivicUnit] {
    let objects = indexes.tables.objectsByKind[kind] ?? []
    return units.filter { objects.contains($0.id.rawValue) }
  }

  /// The categories that a unit is in, in the order of its links; links that lead to none are left out.
  public func categories(of unit: CivicUnit.ID) -> [UnitCategory] {
    guard
      case .memberships(_, let links)? = snapshot[id: CivicRecord.ID(.memberships, unit.rawValue)]
    else { return [] }
    return links.compactMap { self[category: $0.categoryID] }
  }

  /// What stands above a unit.
  public func parent(of unit: CivicUnit) -> UnitParent {
    guard let id = unit.parentID else { return .none }
    return self[id].map(UnitParent.unit) ?? .missing(id)
  }

  /// The units above a unit, the nearest first, up to a root, to one that is missing, or to where the
  /// chain would come back to itself.
  public func ancestors(of unit: CivicUnit) -> [CivicUnit] {
    var ancestors: [CivicUnit] = []
    var seen: Set<CivicUnit.ID> = [unit.id]
    var next = unit
    while case .unit(let parent) = parent(of: next), seen.insert(parent.id).inserted {
      ancestors.append(parent)
      next = parent
    }
    return ancestors
  }

  /// The units directly below a unit, in the order of the table of units.
  public func children(of unit: CivicUnit.ID) -> [CivicUnit] {
    let tables = indexes.tables
    return (tables.unitsByParent[unit] ?? []).map { tables.units[$0] }
  }

  /// A unit with all that hangs together with it; nil when there is none of this key.
  public func detail(of id: CivicUnit.ID) -> UnitDetail? {
    guard let unit = self[id] else { return nil }
    return UnitDetail(
      unit: unit, categories: categories(of: id), parent: parent(of: unit),
      ancestors: ancestors(of: unit), children: children(of: id))
  }

  // MARK: Banners

  /// The banners whose last day is not over on `day`.
  public func banners(on day: CalendarDay) -> [CivicBanner] {
    banners.filter { !$0.isPast(on: day) }
  }
}
