extension UnreadableCells {
  /// The notice about them; `nil` if there are none.
  package var notice: RefreshReport.Notice? {
    guard let first else { return nil }
    let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key.prefix(100)) (\($0.value))" }
    return RefreshReport.Notice(
      .unreadableValues,
      "\(count) values can't be read, so their records lack them: \(RowSchema.list(names)). "
        + "The first: \(first)"
        + (others ?? [:]).sorted { $0.value.index < $1.value.index }.map { "; \($0.value)" }
        .joined())
  }
}

/// The columns that a record reads and no row of a body has.
package struct MissingColumns: Sendable, Hashable, Codable {
  /// The usual names.
  var names: [String]
  /// The names in the body that nothing reads.
  var others: [String]

  /// Returns the columns that the rows of another page lack as well; `nil` if there are none.
  func intersection(_ other: MissingColumns?) -> MissingColumns? {
    guard let other else { return nil }
    let both = names.filter(other.names.contains)
    return both.isEmpty
      ? nil : MissingColumns(names: both, others: (others + other.others).uniqued())
  }

  /// The notice about them.
  package var notice: RefreshReport.Notice {
    let rest =
      others.isEmpty
      ? ""
      : " If one has a new name, add that to `columns`; unread: \(RowSchema.list(others.map { String($0.prefix(100)) }))."
    return RefreshReport.Notice(
      .missingColumns,
      "No row has the column \(RowSchema.list(names)), so no record has its value.\(rest)")
  }
}
