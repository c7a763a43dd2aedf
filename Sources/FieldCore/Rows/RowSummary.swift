/// The facts about a body besides the rows themselves.
@usableFromInline
package struct RowSummary: Sendable, Hashable {
  /// The format of the body.
  package var format: RowFormat
  /// The number of rows, including failed ones.
  package var rowCount = 0
  /// The rows that couldn't be used, in the order of the body.
  package var failures: [RowFailure] = []
  /// The values of the watched columns in each of the ``failures``, one array per failure.
  ///
  /// The array is empty if no column is watched. Invalid Unicode is replaced with U+FFFD.
  package var watchedCells: [[JSONValue?]] = []
  /// A Boolean value that indicates whether the last row seems to be the part of one that a truncated body contains.
  var mayBeTruncated = false
  /// The number of rows that the source states.
  ///
  /// It is the largest sum of the non-null and null counts of a column in `rows.json`, or the
  /// `count` or `total` beside the rows of an envelope, which is that of the whole dataset, not of
  /// one page.
  package var announcedRows: Int?
  /// The names that match no column, in the order of their occurrence, at most 200.
  package var unknownColumns: [String] = []
  /// The names in the body, in the order of their first occurrence, at most one for each column and
  /// those in ``unknownColumns``.
  package var givenColumns: [String] = []
  /// The usual names of the columns that no row, or no header, contains.
  ///
  /// In formats that omit null values, these include columns that are null in every row; without
  /// rows, nothing is listed for them.
  package var missingColumns: [String] = []

  /// Returns the failures, the first of which names the columns if no row can be read: they are the
  /// most likely reason.
  ///
  /// - Parameter columns: The columns that were expected.
  package func failures(expecting columns: [RowColumn]) -> [RowFailure] {
    guard rowCount > 0, failures.count == rowCount else { return failures }
    let expected = RowSchema.list(columns.compactMap(\.names.first))
    let given = RowSchema.list(givenColumns.map { String($0.prefix(100)) })
    let names = "the columns are \(given.isEmpty ? "unknown" : given); expected: \(expected)"
    var failures = failures
    failures[0].reason = "\(failures[0].reason.withoutPeriod) (\(names))".printable
    return failures
  }
}
