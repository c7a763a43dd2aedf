internal import FieldCore
internal import FieldFoundation

/// A set of changes to a directory that are committed together, based on one snapshot.
///
/// ```swift
/// try await directory.edit { edit in
///   try edit.create(CivicUnit(id: "u1", name: "市民服務台"))
///   try edit.setCategories(["c1", "c2"], of: "u1")
/// }
/// ```
///
/// Reading through an edit includes its own changes so far. An edit depends on its snapshot, so it can't be
/// encoded; to keep a draft, encode its rows.
public struct CivicEdit: Sendable {
  let base: Snapshot<CivicRecord>
  private var staged: [CivicRecord.ID: CivicRecord?] = [:]
  private var order: [CivicRecord.ID] = []

  init(of base: Snapshot<CivicRecord>) { self.base = base }

  // MARK: Typed rows

  /// Returns the row with a key, or `nil` if there is none.
  public func row<Row: CivicTableRow>(_ type: Row.Type = Row.self, id: Row.ID) -> Row? {
    rows(Row.self, of: Row.rowTable.key(id)).first { $0.id == id }
  }

  /// Adds a row.
  ///
  /// - Throws: `FieldError` with the code `civic.rowExists` if the table already has a row with its
  ///   key, and `input.invalid` if the row can't be stored; see `problems` for the reasons.
  public mutating func create(_ row: some CivicTableRow) throws {
    try Self.check(row)
    guard self.row(type(of: row), id: row.id) == nil else {
      throw FieldError(
        .civicRowExists, "The table \(type(of: row).table) already has a row \(row.id).")
    }
    put(row)
  }

  /// Adds a row, or replaces the row with the same key.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the row can't be stored; see
  ///   `problems` for the reasons.
  public mutating func upsert(_ row: some CivicTableRow) throws {
    try Self.check(row)
    put(row)
  }

  /// Deletes the row with a key.
  ///
  /// Links to the row are kept and lead to nothing, because the server sends their deletions
  /// separately.
  ///
  /// - Returns: `true` if there was such a row.
  @discardableResult
  public mutating func delete<Row: CivicTableRow>(_ type: Row.Type, id: Row.ID) -> Bool {
    guard row(type, id: id) != nil else { return false }
    remove(type, id)
    return true
  }

  /// Replaces the categories of a unit.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a key is blank or has spaces around
  ///   it.
  public mutating func setCategories(
    _ categories: [UnitCategory.ID], of unit: CivicUnit.ID
  ) throws {
    let stored = rows(UnitMembership.self, of: unit.rawValue)
    let before = Dictionary(stored.map { ($0.categoryID, $0) }) { first, _ in first }
    var links: [UnitMembership] = []
    for category in categories.uniqued() {
      let link = UnitMembership(unitID: unit, categoryID: category)
      try Self.check(link)
      links.append(before[category] ?? link)
    }
    set(links, of: unit.rawValue)
  }

  private static func check<Row: CivicTableRow>(_ row: Row) throws {
    let problems = Row.rowTable.problems(of: row)
    guard problems.isEmpty else {
      throw FieldError(
        .invalidInput, "The row can't be stored in the table \(Row.table).", problems: problems)
    }
  }

  // MARK: Records

  subscript(id: CivicRecord.ID) -> CivicRecord? {
    if let staged = staged[id] { return staged }
    return base[id: id]
  }

  mutating func put(_ record: CivicRecord) {
    if staged.updateValue(record, forKey: record.id) == nil { order.append(record.id) }
  }

  mutating func remove(_ id: CivicRecord.ID) {
    if staged.updateValue(nil as CivicRecord?, forKey: id) == nil { order.append(id) }
  }

  /// Returns the rows in the record with a key: the row itself, or the links of an ID.
  func rows<Row: CivicTableRow>(_ type: Row.Type, of key: String) -> [Row] {
    self[Row.rowTable.recordID(key)].flatMap(Row.rowTable.rows) ?? []
  }

  /// Replaces all rows in the record with a key.
  mutating func set<Row: CivicTableRow>(_ rows: [Row], of key: String) {
    if rows.isEmpty {
      remove(Row.rowTable.recordID(key))
    } else {
      put(Row.rowTable.record(key, rows))
    }
  }

  /// Adds a row to its record, or replaces the row with the same ID.
  mutating func put<Row: CivicTableRow>(_ row: Row) {
    let key = Row.rowTable.key(row.id)
    var rows = rows(Row.self, of: key)
    if let place = rows.firstIndex(where: { $0.id == row.id }) {
      rows[place] = row
    } else {
      rows.append(row)
    }
    set(rows, of: key)
  }

  /// Removes a row from its record, which keeps its other rows.
  mutating func remove<Row: CivicTableRow>(_ type: Row.Type, _ id: Row.ID) {
    let key = Row.rowTable.key(id)
    set(rows(type, of: key).filter { $0.id != id }, of: key)
  }

  // MARK: The outcome

  /// The records after the edit, in the order in which they were first touched.
  var records: [CivicRecord] { order.compactMap { self[$0] } }

  /// Returns the changes to commit, in the order in which the records were first touched.
  func changes() -> Changes<CivicRecord> {
    var changes = Changes<CivicRecord>()
    for id in order {
      let record = self[id]
      if record == base[id: id] { continue }
      if let record { changes.upsert(record) } else { changes.remove(id) }
    }
    return changes
  }

  /// Adds the numbers of rows that were added, changed, removed, and touched without a difference
  /// to a report.
  func tally(in report: inout RefreshReport) {
    for id in order { report.count(from: base[id: id], to: self[id]) }
    if report.added + report.updated + report.removed > 0 { report.outcome = .updated }
  }
}

extension RefreshReport {
  fileprivate mutating func count(from before: CivicRecord?, to after: CivicRecord?) {
    switch (before, after) {
    case (.memberships(_, let before)?, .memberships(_, let after)?): count(before, after)
    case (.keywordLinks(_, let before)?, .keywordLinks(_, let after)?): count(before, after)
    case (.synonyms(_, let before)?, .synonyms(_, let after)?): count(before, after)
    case (nil, let after?): added += after.rowCount
    case (let before?, nil): removed += before.rowCount
    case (let before?, let after?): if before == after { unchanged += 1 } else { updated += 1 }
    case (nil, nil): break
    }
  }

  private mutating func count<Row: CivicTableRow>(_ before: [Row], _ after: [Row]) {
    var olds = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    for row in after {
      guard let old = olds.removeValue(forKey: row.id) else {
        added += 1
        continue
      }
      if old == row { unchanged += 1 } else { updated += 1 }
    }
    removed += olds.count
  }
}

// MARK: - Columns

extension CivicEdit {
  mutating func applyUnit(_ row: CivicRow, areaCode: String) throws(RowProblem) {
    let id = CivicUnit.ID(rawValue: try Self.id("unitId", of: row))
    guard !row.isDeleted else { return remove(CivicUnit.self, id) }
    var fields = self.row(CivicUnit.self, id: id)?.fields ?? CivicUnit.Fields(id: id, name: "")
    if let name = row.text("name") { fields.name = name ?? "" }
    if let parent = row.text("parentUnitId") {
      fields.parentID = parent.map(RowText.plainID).flatMap {
        $0 == "0" ? nil : CivicUnit.ID(rawValue: $0)
      }
    }
    if let details = row.text("description") { fields.details = details }
    if let tel = row.text("tel") { fields.phones = PhoneList(tel, areaCode: areaCode) }
    if let fax = row.text("fax") { fields.faxes = PhoneList(fax, areaCode: areaCode) }
    if let email = row.text("email") { fields.email = email }
    if let website = row.text("website") { fields.website = website }
    if let keyword = row.text("keyword") { fields.keywords = CleanText.words(keyword) }
    if let icon = row.text("iconName") { fields.iconName = icon }
    if let field = row.text("fieldId") {
      fields.field = field.map { PlanField(rawValue: RowText.plainID($0)) }
    }
    if let path = row.text("nearByPathId") { fields.nearbyPathID = path.map(RowText.plainID) }
    if let date = row.date("createTime") { fields.createdAt = date }
    if let date = row.date("lastUpdateTime") { fields.updatedAt = date }
    if let position = Self.position(of: row, before: fields.planPosition) {
      fields.planPosition = position
    }
    put(CivicUnit(fields))
  }

  /// Returns the position on the plan; `nil` if the row has no column for it. A row with one
  /// coordinate keeps the other.
  private static func position(of row: CivicRow, before: PlanPosition?) -> PlanPosition?? {
    let (x, y) = (row.integer("x"), row.integer("y"))
    if x == nil && y == nil { return nil }
    guard let x = x ?? before?.x, let y = y ?? before?.y, x != 0 || y != 0 else {
      return .some(nil)
    }
    return .some(PlanPosition(x: x, y: y))
  }

  mutating func applyCategory(_ row: CivicRow) throws(RowProblem) {
    let id = UnitCategory.ID(rawValue: try Self.id("categoryId", of: row))
    guard !row.isDeleted else { return remove(UnitCategory.self, id) }
    var category = self.row(UnitCategory.self, id: id) ?? UnitCategory(id: id, name: "")
    if let name = row.text("name") { category.name = name ?? "" }
    if let details = row.text("description") { category.details = details }
    if let icon = row.text("iconName") { category.iconName = icon }
    if let keyword = row.text("keyword") { category.keywords = CleanText.words(keyword) }
    if let date = row.date("createTime") { category.createdAt = date }
    if let date = row.date("lastUpdateTime") { category.updatedAt = date }
    put(category)
  }

  mutating func applyKeyword(_ row: CivicRow) throws(RowProblem) {
    let id = CivicKeyword.ID(rawValue: try Self.id("keywordId", of: row))
    guard !row.isDeleted else { return remove(CivicKeyword.self, id) }
    var keyword = self.row(CivicKeyword.self, id: id) ?? CivicKeyword(id: id, text: "")
    if let text = row.text("keyword") { keyword.text = text ?? "" }
    if let rank = row.integer("rank") { keyword.kind = CategoryKind(rawValue: rank ?? 0) }
    if let details = row.text("description") { keyword.details = details }
    if let date = row.date("createTime") { keyword.createdAt = date }
    if let date = row.date("lastUpdateTime") { keyword.updatedAt = date }
    put(keyword)
  }

  mutating func applyBanner(_ row: CivicRow, order: DateOrder) throws(RowProblem) {
    let id = CivicBanner.ID(rawValue: try Self.id("edmId", of: row))
    guard !row.isDeleted else { return remove(CivicBanner.self, id) }
    var banner = self.row(CivicBanner.self, id: id) ?? CivicBanner(id: id, name: "")
    if let name = row.text("edmName") { banner.name = name ?? "" }
    if let address = row.text("edmURL") { banner.address = address }
    if let image = row.text("edmImage") { banner.imageName = image }
    if let day = row.text("edmEndDay") { banner.lastDay = day.flatMap { Self.day($0, order) } }
    if let date = row.date("lastUpdateTime") { banner.updatedAt = date }
    put(banner)
  }

  /// Returns the day of `2016-09-20`, `2016/9/20`, or `105/09/20`, possibly with a time after it,
  /// as a database may add one: the day as written, in no time zone. A range is its last day.
  private static func day(_ text: String, _ order: DateOrder) -> CalendarDay? {
    TimestampParser(zone: .utc, order: order).instant(text).map { $0.lastDay ?? $0.day }
  }

  mutating func applyApp(_ row: CivicRow) throws(RowProblem) {
    let id = CivicApp.ID(rawValue: try Self.id("appId", of: row))
    guard !row.isDeleted else { return remove(CivicApp.self, id) }
    var app = self.row(CivicApp.self, id: id) ?? CivicApp(id: id, name: "")
    if let name = row.text("appName") { app.name = name ?? "" }
    // An empty column doesn't remove what another column contains.
    let columns = [(row.text("appURL"), false), (row.text("appIOSUrl", "iosAppUrl"), true)]
    for case (.some(nil), let isOfIOS) in columns { app.take(nil, fromColumnOfIOS: isOfIOS) }
    for case (.some(.some(let address)), let isOfIOS) in columns {
      app.take(address, fromColumnOfIOS: isOfIOS)
    }
    if let image = row.text("appImage") { app.imageName = image }
    if let date = row.date("lastUpdateTime") { app.updatedAt = date }
    put(app)
  }

  mutating func applyInstruction(_ row: CivicRow) throws(RowProblem) {
    guard let id = row.integer("id") ?? nil else { throw RowProblem("the row has no numeric id") }
    guard !row.isDeleted else { return remove(InstructionPage.self, id) }
    var page = self.row(InstructionPage.self, id: id) ?? InstructionPage(id: id, name: "")
    if let name = row.text("name") { page.name = name ?? "" }
    if let isRead = row.integer("read") { page.isRead = (isRead ?? 0) != 0 }
    put(page)
  }

  mutating func applySearch(_ row: CivicRow) throws(RowProblem) {
    guard let text = row.key("searchKeyword") else {
      throw RowProblem("the row has no searchKeyword")
    }
    guard !row.isDeleted else { return remove(SearchEntry.self, text) }
    put(SearchEntry(text))
  }

  /// Applies a row of the table `hot`.
  ///
  /// Servers and whole files number activities. The old app's number is a position in the feed,
  /// which belongs to another activity tomorrow, so its rows are identified by their addresses.
  ///
  /// In the old app, `isDelete` marks an activity that the user has hidden, not a deletion. An
  /// activity that was shown again after the first import stays visible.
  mutating func applyActivity(_ row: CivicRow, rules: CivicRowRules) throws(RowProblem) {
    let number = row.id("id").map(CityActivity.ID.init(rawValue:))
    let dates = TimestampParser(zone: rules.zone, order: rules.dateOrder)
    let content = CityActivity(row, dates: dates).contentID
    guard let id = rules.origin == .oldDatabase ? content ?? number : number ?? content else {
      throw RowProblem("the row has no id, hotLink, or hotTitle")
    }
    guard !row.isDeleted || rules.origin != .server else { return remove(CityActivity.self, id) }
    var activity = self.row(CityActivity.self, id: id) ?? CityActivity(id: id, title: "")
    activity.take(row, dates: dates)
    if row.isDeleted, base[id: CivicRecord.ID(.activity, id.rawValue)] == nil {
      activity.isHidden = true
    }
    put(activity)
  }

  static func id(_ name: String, of row: CivicRow) throws(RowProblem) -> String {
    guard let id = row.id(name) else { throw RowProblem("the row has no \(name)") }
    return id
  }
}

// MARK: - Rows

/// Rules for reading the rows of a source.
struct CivicRowRules: Sendable {
  /// The area code of telephone numbers that have none.
  var areaCode = "06"
  /// The time zone of dates that don't state one.
  var zone = FixedZone.taipei
  /// The order of day and month in the dates of the rows.
  var dateOrder = DateOrder()
  var origin = Origin.server
  /// The second since which changes were requested, so that unchanged rows may be missing; `nil` if
  /// all rows were returned.
  var cursor: Int64?
  /// The current time; changes that are dated far ahead of it don't move a cursor.
  var now: Date

  /// Returns whether the second of a change doesn't lie more than a day ahead: with a cursor in the
  /// far future, nothing would ever be returned again. A device whose clock is slow requests more
  /// than it needs.
  func isPlausible(_ seconds: Int64) -> Bool {
    Double(seconds) <= now.timeIntervalSince1970 + 86_400
  }

  /// The origin of rows, which decides what `isDelete` and `id` of an activity mean.
  enum Origin: Sendable {
    /// A server's response, or rows that the app applies.
    case server
    /// Files that contain whole tables.
    case files
    /// The database of the old app, which also stored rows without their keys.
    case oldDatabase
  }
}

struct CivicRowsOutcome {
  var rows = 0
  var failures: [RowFailure] = []
  /// The newest plausible time of a change, in Unix seconds. Unusable rows don't count, because a
  /// request since then could return nothing else, which is an error.
  var newest: Int64?
}

extension CivicEdit {
  /// Applies the rows of a table by the rules of a sync.
  ///
  /// A row is inserted, replaces the columns that it contains, or deletes its key. All links of one
  /// ID are replaced together.
  ///
  /// - Returns: The outcome, which lists the unusable rows.
  /// - Throws: `FieldError` if there is no such table or no row is usable. The old database is
  ///   exempt from the latter, because some of its tables have no usable row.
  mutating func apply(
    _ rows: [JSONValue], to table: CivicTable, rules: CivicRowRules
  ) throws(FieldError) -> CivicRowsOutcome {
    guard let write = Self.writers[table] else {
      throw FieldError(
        .unknownCivicTable, "There is no table \(table.rawValue.prefix(60)) in the directory.")
    }
    var outcome = CivicRowsOutcome(rows: rows.count)
    var links = LinkSets()
    var rules = rules
    rules.dateOrder = table.dateOrder(in: rows)
    for (index, value) in rows.enumerated() {
      do throws(RowProblem) {
        guard let row = CivicRow(value, of: table) else {
          throw RowProblem("the row isn't an object")
        }
        try write(row, rules, &self, &links)
        if let changedAt = row.changedAt, rules.isPlausible(changedAt) {
          outcome.newest = max(outcome.newest ?? 0, changedAt)
        }
      } catch {
        outcome.failures.append(
          RowFailure(
            index: index, excerpt: String(value.canonicalText.prefix(200)),
            reason: "\(table): \(error.reason)"))
      }
    }
    if !rows.isEmpty, outcome.failures.count == rows.count, rules.origin != .oldDatabase {
      throw FieldError(
        .unusableCivicRows, "None of the \(rows.count) rows for \(table) can be used.",
        problems: outcome.failures.prefix(20).map(\.description))
    }
    links.apply(to: &self, since: rules.cursor)
    return outcome
  }

  private typealias Writer =
    @Sendable (CivicRow, CivicRowRules, inout CivicEdit, inout LinkSets) throws(RowProblem) -> Void

  /// The function that applies a row, for each table.
  private static let writers: [CivicTable: Writer] = [
    .units: { row, rules, edit, _ throws(RowProblem) in
      try edit.applyUnit(row, areaCode: rules.areaCode)
    },
    .categories: { row, _, edit, _ throws(RowProblem) in try edit.applyCategory(row) },
    .memberships: { row, _, _, links throws(RowProblem) in try links.takeMembership(row) },
    .keywords: { row, _, edit, _ throws(RowProblem) in try edit.applyKeyword(row) },
    .keywordLinks: { row, _, _, links throws(RowProblem) in try links.takeKeywordLink(row) },
    .synonyms: { row, _, _, links throws(RowProblem) in try links.takeSynonym(row) },
    .banners: { row, rules, edit, _ throws(RowProblem) in
      try edit.applyBanner(row, order: rules.dateOrder)
    },
    .activities: { row, rules, edit, _ throws(RowProblem) in
      try edit.applyActivity(row, rules: rules)
    },
    .apps: { row, _, edit, _ throws(RowProblem) in try edit.applyApp(row) },
    .instructions: { row, _, edit, _ throws(RowProblem) in try edit.applyInstruction(row) },
    .searchHistory: { row, _, edit, _ throws(RowProblem) in try edit.applySearch(row) },
  ]
}
