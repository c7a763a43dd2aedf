/// What a body held besides the rows themselves.
@usableFromInline
package struct RowSummary: Sendable, Hashable {
  /// How the body is written.
  package var format: RowFormat
  /// How many rows there were, those that failed included.
  package var rowCount = 0
  /// The rows that could not be used, in the order of the body.
  package var failures: [RowFailure] = []
  /// What the watched columns hold in each of the ``failures``, one array a failure; empty when no
  /// column is watched. Text that is not Unicode has U+FFFD where it cannot be read.
  package var watchedCells: [[JSONValue?]] = []
  /// How many rows the source says there are: the largest non-null and null count of the columns in
  /// `rows.json`, and the `count` or `total` beside the rows of an envelope, which is that of the whole
  /// data set and not of one page.
  package var announcedRows: Int?
  /// The names that no column has, in the order in which they came, at most 200.
  package var unknownColumns: [String] = []
  /// The usual names of the columns that no row, or no header, has. Formats that leave a key out for
  /// null list a column here that is null in every row; without rows nothing is listed for them.
  package var missingColumns: [String] = []
}

/// The records of a body, and what it held besides them.
///
/// Rows that could not be used are in ``RowSummary/failures`` of ``summary``. That all rows failed is no
/// error here: whether so few records may be believed is for the caller to decide.
@usableFromInline
package struct RowBatch<Record: RowRecord>: Sendable {
  /// The records, in the order of the body.
  package var records: [Record]
  /// What the body held besides the records.
  package var summary: RowSummary

  @usableFromInline
  package init(records: [Record], summary: RowSummary) {
    self.records = records
    self.summary = summary
  }

  /// The rows that could not be used, in the order of the body.
  package var failures: [RowFailure] { summary.failures }
  /// How many rows there were, those that failed included.
  package var rowCount: Int { summary.rowCount }
  /// How many rows the source says there are; see ``RowSummary/announcedRows``.
  package var announcedRows: Int? { summary.announcedRows }
  /// How the body is written.
  package var format: RowFormat { summary.format }
  /// The names that no column has.
  package var unknownColumns: [String] { summary.unknownColumns }
  /// The usual names of the columns that are not there; see ``RowSummary/missingColumns``.
  package var missingColumns: [String] { summary.missingColumns }
}
