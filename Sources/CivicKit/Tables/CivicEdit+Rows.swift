internal import FieldCore
internal import FieldFoundation

/// How the rows of a source are read.
struct CivicRowRules: Sendable {
  /// What stands before a telephone number that has no area code.
  var areaCode = "06"
  /// The zone of dates that state none.
  var zone = FixedZone.taipei
  /// Where the rows are from.
  var origin = Origin.server
  /// The second from which on a server was asked, so that rows that have not changed may be missing; nil
  /// when all of them came.
  var cursor: Int?
  /// What time it is: what was changed long after moves no cursor.
  var now: Date

  /// Where rows are from, which decides what `isDelete` and `id` of an activity mean.
  enum Origin: Sendable {
    /// A server's answer, or rows by hand.
    case server
    /// Files with whole tables.
    case files
    /// The database of the old app, which stored rows without their keys, too.
    case oldDatabase
  }
}

/// What the rows of one table were like.
struct CivicRowsOutcome {
  var rows = 0
  var failures: [RowFailure] = []
  /// When the newest row was changed, in Unix seconds, of those whose time can be right.
  var newest: Int?
}

extension CivicEdit {
  /// Applies the rows of a table by the rules of the sync: each is inserted, replaces what it has columns
  /// for, or is deleted by its key; the links of one id are replaced together.
  ///
  /// - Returns: What the rows were like; those that cannot be used are left out.
  /// - Throws: `FieldError` when there is no such table, or none of the rows can be used; of the old database
  ///   some tables have no usable row.
  mutating func apply(
    _ rows: [JSONValue], to table: CivicTable, rules: CivicRowRules
  ) throws(FieldError) -> CivicRowsOutcome {
    guard let write = Self.writers[table] else { throw Self.unknownTable(table) }
    var outcome = CivicRowsOutcome(rows: rows.count)
    var links = LinkSets()
    for (index, value) in rows.enumerated() {
      do throws(RowProblem) {
        guard let row = CivicRow(value) else { throw RowProblem("the row is no object") }
        if let changedAt = CivicCursors.plausible(row.changedAt, now: rules.now) {
          outcome.newest = max(outcome.newest ?? 0, changedAt)
        }
        try write(row, rules, &self, &links)
      } catch {
        outcome.failures.append(
          RowFailure(
            index: index, excerpt: String(value.canonicalText.prefix(200)),
            reason: "\(table): \(error.reason)"))
      }
    }
    if !rows.isEmpty, outcome.failures.count == rows.count, rules.origin != .oldDatabase {
      throw FieldError(
        .unusableCivicRows, "none of the \(rows.count) rows for \(table) can be used",
        problems: outcome.failures.prefix(20).map(\.description))
    }
    links.apply(to: &self, since: rules.cursor)
    return outcome
  }

  private typealias Writer =
    @Sendable (CivicRow, CivicRowRules, inout CivicEdit, inout LinkSets) throws(RowProblem) -> Void

  /// How a row of each table is applied.
  private static let writers: [CivicTable: Writer] = [
    .units: { row, rules, edit, _ throws(RowProblem) in
      try edit.applyUnit(row, areaCode: rules.areaCode)
    },
    .categories: { row, _, edit, _ throws(RowProblem) in try edit.applyCategory(row) },
    .memberships: { row, _, _, links throws(RowProblem) in try links.takeMembership(row) },
    .keywords: { row, _, edit, _ throws(RowProblem) in try edit.applyKeyword(row) },
    .keywordLinks: { row, _, _, links throws(RowProblem) in try links.takeKeywordLink(row) },
    .synonyms: { row, _, _, links throws(RowProblem) in try links.takeSynonym(row) },
    .banners: { row, _, edit, _ throws(RowProblem) in try edit.applyBanner(row) },
    .activities: { row, rules, edit, _ throws(RowProblem) in
      try edit.applyActivity(row, rules: rules)
    },
    .apps: { row, _, edit, _ throws(RowProblem) in try edit.applyApp(row) },
    .instructions: { row, _, edit, _ throws(RowProblem) in try edit.applyInstruction(row) },
    .searchHistory: { row, _, edit, _ throws(RowProblem) in try edit.applySearch(row) },
  ]

  private static func unknownTable(_ table: CivicTable) -> FieldError {
    FieldError(
      .unknownCivicTable,
      "there is no table \(table.rawValue.prefix(60)) in the directory")
  }
}
