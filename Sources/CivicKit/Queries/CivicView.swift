public import FieldCore

/// An immutable snapshot of a directory that you can query synchronously, such as in SwiftUI.
///
/// Creating a view costs nothing. Its tables and indexes are built when they are first needed, and later views update
/// them by what has changed. The indexes of the units' texts are stored beside the directory's file, from which the next process
/// reads them.
///
/// Rows are in the order in which they were first stored, which is that of the source's tables. A
/// row that changes keeps its position.
public struct CivicView: Sendable, StoreView {
  package let snapshot: Snapshot<CivicRecord>
  /// The damage found when the stores were opened, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  let indexes: CivicIndexes

  package init(of snapshot: Snapshot<CivicRecord>, after earlier: CivicView? = nil) {
    self.snapshot = snapshot
    indexes = CivicIndexes(of: snapshot, after: earlier?.indexes)
  }

  /// The revision of the store that the view shows.
  public var revision: Revision { snapshot.revision }

  /// The directory's progress with its server.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  // MARK: The tables

  /// All units.
  public var units: [CivicUnit] { indexes.tables.rows.units.all }
  /// All categories.
  public var categories: [UnitCategory] { indexes.tables.rows.categories.all }
  /// The memberships of units in categories, grouped by unit.
  public var memberships: [UnitMembership] { indexes.tables.rows.memberships.all }
  /// All keywords.
  public var keywords: [CivicKeyword] { indexes.tables.rows.keywords.all }
  /// The links of units and categories to keywords, grouped by unit or category.
  public var keywordLinks: [KeywordLink] { indexes.tables.rows.keywordLinks.all }
  /// The synonyms of units, grouped by unit.
  public var synonyms: [UnitSynonym] { indexes.tables.rows.synonyms.all }
  /// All banners, past ones included.
  public var banners: [CivicBanner] { indexes.tables.rows.banners.all }
  /// All apps.
  public var apps: [CivicApp] { indexes.tables.rows.apps.all }
  /// The pages of the guide.
  public var instructions: [InstructionPage] { indexes.tables.rows.instructions.all }
  /// The search history, oldest first.
  public var searchHistory: [SearchEntry] { indexes.tables.rows.searchHistory.all }
  /// The activities of the table `hot`, including hidden ones but not those of the feeds.
  public var activities: [CityActivity] { indexes.tables.rows.activities.all }
  /// The launch flags, in the order in which they were set.
  public var launchFlags: [LaunchFlag] { indexes.tables.rows.launchFlags.all }

  /// Returns the rows of a type.
  public func rows<Row: CivicTableRow>(_ type: Row.Type = Row.self) -> [Row] {
    Row.rowTable.all(self)
  }

  // MARK: Categories

  /// Returns the categories of a kind, in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for facility in view.categories(of: .facility) { show(facility.name) }
  /// ```
  public func categories(of kind: CategoryKind) -> [UnitCategory] {
    let objects = indexes.tables.objectsByKind[kind] ?? []
    return categories.filter { objects.contains($0.id.rawValue) }
  }

  /// Returns the category with a name, such as the tile 廁所, or `nil` if there is none.
  ///
  /// Names are folded as in a search, so 台 finds 臺. If several match, one that is spelled exactly
  /// like `name` comes first, followed by the others in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// if let tile = view.category(named: "停車場") { show(view.units(in: tile.id)) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The whole name.
  ///   - kind: The kind of the category. Defaults to `nil`, which means any.
  public func category(named name: String, of kind: CategoryKind? = nil) -> UnitCategory? {
    let folded = TextFolding.fold(name)
    guard !folded.isEmpty else { return nil }
    let all = kind.map(categories(of:)) ?? categories
    let found = all.filter { TextFolding.fold($0.name) == folded }
    return found.first { $0.name == name } ?? found.first
  }

  /// Returns the category with a key, or `nil` if there is none.
  public subscript(category id: UnitCategory.ID) -> UnitCategory? {
    guard case .category(let category)? = snapshot[id: CivicRecord.ID(.category, id.rawValue)]
    else { return nil }
    return category
  }

  // MARK: Units

  /// Returns the unit with a key, or `nil` if there is none.
  public subscript(id: CivicUnit.ID) -> CivicUnit? {
    guard case .unit(let unit)? = snapshot[id: CivicRecord.ID(.unit, id.rawValue)]
    else { return nil }
    return unit
  }

  /// Returns the units in a category, in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for tile in view.categories(of: .facility) { show(view.units(in: tile.id).map(\.name)) }
  /// ```
  public func units(in category: UnitCategory.ID) -> [CivicUnit] {
    let tables = indexes.tables
    return (tables.unitsByCategory[category] ?? []).map { tables.rows.units.all[$0] }
  }

  /// Returns the units that are linked directly to a keyword of a kind, in table order.
  public func units(of kind: CategoryKind) -> [CivicUnit] {
    let objects = indexes.tables.objectsByKind[kind] ?? []
    return units.filter { objects.contains($0.id.rawValue) }
  }

  /// Returns the categories of a unit, in the order of its links, skipping links that lead to none.
  public func categories(of unit: CivicUnit.ID) -> [UnitCategory] {
    guard
      case .memberships(_, let links)? = snapshot[id: CivicRecord.ID(.memberships, unit.rawValue)]
    else { return [] }
    return links.compactMap { self[category: $0.categoryID] }
  }

  /// Returns the parent of a unit.
  public func parent(of unit: CivicUnit) -> UnitParent {
    guard let id = unit.parentID else { return .none }
    return self[id].map(UnitParent.unit) ?? .missing(id)
  }

  /// Returns the ancestors of a unit, nearest first.
  ///
  /// The list ends at a root, before a missing unit, or where the chain would form a cycle.
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

  /// Returns the direct children of a unit, in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for unit in view.units { show(unit.name, view.children(of: unit.id).map(\.name)) }
  /// ```
  public func children(of unit: CivicUnit.ID) -> [CivicUnit] {
    let tables = indexes.tables
    return (tables.unitsByParent[unit] ?? []).map { tables.rows.units.all[$0] }
  }

  /// Returns a unit with its categories, parent, ancestors, and children, or `nil` if there is no
  /// such unit.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for unit in view.units { show(unit.name, view.detail(of: unit.id)?.ancestors ?? []) }
  /// ```
  public func detail(of id: CivicUnit.ID) -> UnitDetail? {
    guard let unit = self[id] else { return nil }
    return UnitDetail(
      unit: unit, categories: categories(of: id), parent: parent(of: unit),
      ancestors: ancestors(of: unit), children: children(of: id))
  }

  // MARK: Banners

  /// Returns the banners whose last day isn't before `day`.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// let banners = view.banners(on: CalendarDay(Date(), in: .taipei))
  /// ```
  public func banners(on day: CalendarDay) -> [CivicBanner] {
    banners.filter { !$0.isPast(on: day) }
  }
}

extension CivicView {
  /// Returns the units that match a search, best match first.
  ///
  /// Units in which more of the words were found come first. Among those, the order is: units whose
  /// name is the whole text, whose name begins with a word, whose name contains a word, that match
  /// by a keyword or synonym, and all others. Units that are still equal are in table order.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// for hit in view.search(CivicSearch("停車")) { show(hit.unit.name, hit.nameRanges) }
  /// ```
  public func search(_ search: CivicSearch) -> [CivicHit] { UnitFinder(search, in: self).hits() }

  /// Returns the number of units that match a search, ignoring its limit.
  ///
  /// ```swift
  /// let view = try await directory.view()
  /// show(view.count(CivicSearch("停車")))
  /// ```
  public func count(_ search: CivicSearch) -> Int { UnitFinder(search, in: self).count() }
}
