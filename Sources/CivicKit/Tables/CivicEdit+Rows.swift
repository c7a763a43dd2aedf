internal import FieldCore
internal import FieldFoundation

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
