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
