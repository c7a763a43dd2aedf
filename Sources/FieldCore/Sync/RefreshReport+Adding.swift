extension RefreshReport {
  /// The maximum number of failed rows that a report keeps.
  static var keptFailures: Int { 1_000 }

  /// Counts rows that couldn't be used, and keeps as many of them as fit.
  ///
  /// - Parameter count: The number of all rows, if the given ones are only the first of them.
  package mutating func add(_ failures: [RowFailure], of count: Int? = nil) {
    failureCount += count ?? failures.count
    self.failures += failures.prefix(max(0, Self.keptFailures - self.failures.count))
  }

  /// Adds the counts of another part of the same refresh; the outcome, the URL, and the date stay.
  package mutating func addCounts(of part: RefreshReport) {
    rows += part.rows
    added += part.added
    updated += part.updated
    removed += part.removed
    unchanged += part.unchanged
    add(part.failures, of: part.failureCount)
    notices += part.notices
  }

  /// The quantities of the report, for observers.
  var measures: [FieldEvent.Measure: Int] {
    [
      .rows: rows, .added: added, .updated: updated, .removed: removed, .unchanged: unchanged,
      .failedRows: failureCount, .notices: notices.count,
    ]
  }
}
