internal import FieldCore

/// The rows of all tables and their relations, which are made in one pass and then follow the changes.
final class CivicTables: Sendable {
  /// The rows of all tables.
  struct Rows: Sendable {
    var units = TableRows<CivicUnit>()
    var categories = TableRows<UnitCategory>()
    var memberships = TableRows<UnitMembership>()
    var keywords = TableRows<CivicKeyword>()
    var keywordLinks = TableRows<KeywordLink>()
    var synonyms = TableRows<UnitSynonym>()
    var banners = TableRows<CivicBanner>()
    var apps = TableRows<CivicApp>()
    var instructions = TableRows<InstructionPage>()
    var searchHistory = TableRows<SearchEntry>()
    var launchFlags = TableRows<LaunchFlag>()
    var activities = TableRows<CityActivity>()

    /// Puts the rows of a record into its table, in the place of those of the same slot, or removes them.
    mutating func put(_ record: CivicRecord, at slot: Int32, isThere: Bool = true) {
      switch record {
      case .unit(let unit): units.put(unit, at: slot, isThere)
      case .category(let category): categories.put(category, at: slot, isThere)
      case .memberships(_, let links): memberships.put(contentsOf: links, at: slot, isThere)
      case .keyword(let keyword): keywords.put(keyword, at: slot, isThere)
      case .keywordLinks(_, let links): keywordLinks.put(contentsOf: links, at: slot, isThere)
      case .synonyms(_, let rows): synonyms.put(contentsOf: rows, at: slot, isThere)
      case .banner(let banner): banners.put(banner, at: slot, isThere)
      case .app(let app): apps.put(app, at: slot, isThere)
      case .instruction(let page): instructions.put(page, at: slot, isThere)
      case .search(let entry): searchHistory.put(entry, at: slot, isThere)
      case .launch(let flag): launchFlags.put(flag, at: slot, isThere)
      case .activity(let activity): activities.put(activity, at: slot, isThere)
      }
    }
  }

  let rows: Rows
  /// The positions of the units in a category, ascending.
  let unitsByCategory: [UnitCategory.ID: [Int]]
  /// The positions of the children of a unit, ascending.
  let unitsByParent: [CivicUnit.ID: [Int]]
  /// The keys of the units and categories that are linked to a keyword of a kind.
  let objectsByKind: [CategoryKind: Set<String>]

  convenience init(of snapshot: Snapshot<CivicRecord>) {
    var rows = Rows()
    var records = snapshot.makeIterator()
    while let record = records.next() {
      rows.put(record, at: Int32(truncatingIfNeeded: records.slot))
    }
    self.init(joining: rows)
  }

  private init(joining rows: Rows) {
    self.rows = rows
    var positions: [CivicUnit.ID: Int] = [:]
    var unitsByParent: [CivicUnit.ID: [Int]] = [:]
    for (position, unit) in rows.units.all.enumerated() {
      positions[unit.id] = position
      if let parent = unit.parentID { unitsByParent[parent, default: []].append(position) }
    }
    var unitsByCategory: [UnitCategory.ID: [Int]] = [:]
    for link in rows.memberships.all {
      guard let position = positions[link.unitID] else { continue }
      unitsByCategory[link.categoryID, default: []].append(position)
    }
    for category in unitsByCategory.keys { unitsByCategory[category]?.sort() }
    var kinds: [CivicKeyword.ID: CategoryKind] = [:]
    for keyword in rows.keywords.all { kinds[keyword.id] = keyword.kind }
    var objectsByKind: [CategoryKind: Set<String>] = [:]
    for link in rows.keywordLinks.all {
      guard let kind = kinds[link.keywordID] else { continue }
      objectsByKind[kind, default: []].insert(link.objectID)
    }
    self.unitsByParent = unitsByParent
    self.unitsByCategory = unitsByCategory
    self.objectsByKind = objectsByKind
  }

  private init(_ rows: Rows, relationsOf other: CivicTables) {
    self.rows = rows
    unitsByCategory = other.unitsByCategory
    unitsByParent = other.unitsByParent
    objectsByKind = other.objectsByKind
  }

  // MARK: Changes

  /// Returns the tables after changes; those that haven't changed share their rows with these.
  func updated(by changes: SlotChanges<CivicRecord>) -> CivicTables {
    guard changes.before != nil, changes.slots.count <= max(64, changes.after.count / 64) else {
      return CivicTables(of: changes.after)
    }
    var rows = rows
    for slot in changes.slots {
      if let before = changes.earlierRecord(at: slot) { rows.put(before, at: slot, isThere: false) }
      if let after = changes.record(at: slot) { rows.put(after, at: slot) }
    }
    return changes.contains(where: Self.areRelated)
      ? CivicTables(joining: rows) : CivicTables(rows, relationsOf: self)
  }

  /// Returns whether the relations may be others after the change of a record.
  private static func areRelated(_ before: CivicRecord?, _ after: CivicRecord?) -> Bool {
    switch (before, after) {
    case (.unit(let before), .unit(let after)): before.parentID != after.parentID
    case (.keyword(let before), .keyword(let after)): before.kind != after.kind
    default:
      [before, after].contains { record in
        switch record?.id.table {
        case .unit, .memberships, .keyword, .keywordLinks: true
        default: false
        }
      }
    }
  }
}

/// The rows of one table in table order, with the slots of the records that contain them.
struct TableRows<Row: Sendable>: Sendable {
  private(set) var all: [Row] = []
  private var slots: [Int32] = []

  /// Puts a row in the place of that of a slot, or removes that.
  mutating func put(_ row: Row, at slot: Int32, _ isThere: Bool) {
    if isThere, slots.last ?? -1 < slot {
      all.append(row)
      slots.append(slot)
    } else {
      replace(slot, by: isThere ? [row] : [])
    }
  }

  /// Puts the rows of a record in the place of those of its slot, or removes those.
  mutating func put(contentsOf rows: [Row], at slot: Int32, _ isThere: Bool) {
    if isThere, slots.last ?? -1 < slot {
      all += rows
      slots += repeatElement(slot, count: rows.count)
    } else {
      replace(slot, by: isThere ? rows : [])
    }
  }

  private mutating func replace(_ slot: Int32, by rows: [Row]) {
    let start = slots.partitioningIndex { $0 >= slot }
    let end = slots[start...].partitioningIndex { $0 > slot }
    all.replaceSubrange(start..<end, with: rows)
    slots.replaceSubrange(start..<end, with: repeatElement(slot, count: rows.count))
  }
}
