extension RefreshReport {
  /// How many of the rows that could not be used a report keeps.
  static var keptFailures: Int { 1_000 }

  /// Counts rows that could not be used, and keeps as many of them as there is room for.
  package mutating func add(_ failures: [RowFailure]) {
    add(failures, of: failures.count)
  }

  /// Adds what another part of the same refresh has done; the outcome, the address and the date stay.
  package mutating func addCounts(of part: RefreshReport) {
    rows += part.rows
    added += part.added
    updated += part.updated
    removed += part.removed
    unchanged += part.unchanged
    add(part.failures, of: part.failureCount)
    notices += part.notices
  }

  private mutating func add(_ failures: [RowFailure], of count: Int) {
    failureCount += count
    self.failures += failures.prefix(max(0, Self.keptFailures - self.failures.count))
  }
}
