/// Reads the rows of a body, whatever its format.
///
/// The format is found by looking at the body unless it is given. A row that cannot be used becomes a
/// ``RowFailure`` and the others are read on. An error means that nothing of the body may be used:
///
/// | code | the body |
/// |---|---|
/// | `rows.empty` | is empty or blank |
/// | `rows.notData` | is a web page, an XML document, or a JSON error message |
/// | `rows.encoding` | is not UTF-8, nor CSV in UTF-16 with a byte-order mark |
/// | `rows.cut` | ends in the middle |
/// | `rows.malformed` | breaks the rules of its format |
/// | `rows.schema` | has no column that the record reads |
/// | `rows.unknownFormat` | is nothing that can be read |
///
/// A cut is noticed at every byte of JSON. In NDJSON it is noticed if the last record is incomplete, and in
/// CSV if the body ends inside quotes or in the header. A CSV body that is cut anywhere else looks whole,
/// because spreadsheets leave out empty cells at the end of a row and the last line break.
///
/// Strings that are not Unicode text, by wrong UTF-8 or by half of an escaped surrogate pair, fail
/// their row, also in columns that nobody asked for. When at least three rows, or more than half of
/// all, are wrong UTF-8 and hardly a row (one in twenty of those) has text beyond ASCII that is right,
/// the body is in another encoding and is refused.
@usableFromInline
package enum RowReader {
  /// Reads all rows into records.
  @inlinable
  package static func read<Record: RowRecord>(
    _ bytes: [UInt8], as type: Record.Type = Record.self, format: RowFormat? = nil
  ) throws(FieldError) -> RowBatch<Record> {
    var records: [Record] = []
    let summary = try forEachRow(
      of: bytes, columns: Record.rowColumns, key: Record.rowKey, format: format
    ) { row throws(RowProblem) in
      let record = try Record(row: row)
      // Rows are about as long as the first: one allocation instead of a dozen, each with a copy.
      if records.isEmpty { records.reserveCapacity(row.expectedCount) }
      records.append(record)
    }
    return RowBatch(records: records, summary: summary)
  }

  /// Lends every row in turn to a closure, so that no array needs to be built.
  ///
  /// The closure may be called before an error of the whole body is found.
  ///
  /// - Parameters:
  ///   - columns: the columns, by whose position the closure asks for cells.
  ///   - key: the position of the column that names a row in a failure.
  ///   - watched: the positions of the columns whose cells are kept of the rows that fail.
  ///   - format: how the body is written; nil finds it out.
  ///   - body: takes a row; what it throws makes the row a failure.
  @usableFromInline
  package static func forEachRow(
    of bytes: [UInt8], columns: [RowColumn], key: Int, watching watched: [Int] = [],
    format: RowFormat? = nil, _ body: (borrowing SourceRow) throws(RowProblem) -> Void
  ) throws(FieldError) -> RowSummary {
    if let text = try UTF16Text.utf8(bytes) {
      return try forEachRow(
        of: text, columns: columns, key: key, watching: watched, format: format, body)
    }
    return try bytes.withBytes { span throws(FieldError) in
      let start = try ForeignBody.check(span)
      let found: RowFormat
      if let format {
        found = format
      } else {
        found = try RowSniffing.format(span, from: start, columns: columns, key: key)
      }
      var scan = RowScan(
        bytes, columns: columns, key: key, watching: watched, format: found, start: start)
      try scan.run(span, body)
      return scan.summary
    }
  }
}
