package import FieldCore

/// The conversion of a dataset's rows into records.
package struct SODAReading<Record: StoredRecord>: Sendable {
  /// The columns that are read by position.
  var columns: [RowColumn]
  /// The position of the key column.
  var key: Int
  /// The name of the key column.
  var keyColumn: String
  /// The columns that are requested in addition to the system fields that order the rows; empty for all.
  var selection: [String]
  /// A Boolean value that indicates whether all other columns are read, too, because records may ask for any of them.
  var isOpen = false
  /// The version of the reader, for fingerprints.
  var version: String
  var record: @Sendable (borrowing SourceRow) throws(RowProblem) -> Record
  /// A closure that returns the ID for the key cell at a position of a row with few other cells, or
  /// `nil` if there is none. The result is the same as in ``record``.
  var id: @Sendable (borrowing SourceRow, Int) -> Record.ID?
  /// A closure that returns the ID of an unreadable row from its failure and its key cell.
  var failedID: @Sendable (RowFailure, JSONValue?) -> Record.ID?

  package init(
    columns: [RowColumn], key: Int, keyColumn: String, selection: [String] = [],
    version: String, record: @escaping @Sendable (borrowing SourceRow) throws(RowProblem) -> Record,
    id: @escaping @Sendable (borrowing SourceRow, Int) -> Record.ID?,
    failedID: @escaping @Sendable (RowFailure, JSONValue?) -> Record.ID?
  ) {
    self.columns = columns
    self.key = key
    self.keyColumn = keyColumn
    self.selection = selection
    self.version = version
    self.record = record
    self.id = id
    self.failedID = failedID
  }
}

extension SODAReading {
  /// The requested columns, in the query's language.
  var select: SoQL { selection.isEmpty ? "*" : .list(selection.map { "\(column: $0)" }) }
}

extension SODAReading<SODARow> {
  /// Returns the conversion for rows of any dataset.
  static func rows(key: String?, selection: [String]) -> Self {
    let column = key ?? ":id"
    var selection = selection
    // A row can't be stored without its key.
    if let key, !selection.isEmpty, !selection.contains(key) { selection.append(key) }
    return Self(
      columns: [RowColumn(column)], key: 0, keyColumn: column, selection: selection,
      version: "rows/1",
      record: { row throws(RowProblem) in try SODARow(row.object, key: key) },
      id: { row, column in row.json(column).flatMap(SODARow.id) },
      failedID: { _, cell in cell.flatMap(SODARow.id) })
  }
}

extension SODAReading where Record: RowReadable {
  /// Returns the conversion for a record of the user's own.
  ///
  /// - Parameters:
  ///   - key: The column of its ID; `nil` for the record's own name of it.
  static func records(key: String?) -> Self {
    let column = Record.keyColumn
    var reading = Self(
      columns: Record.columns, key: 0, keyColumn: key ?? column?.names.first ?? ":id",
      version: "records/1",
      record: { row throws(RowProblem) in try Record(row: row) },
      id: { row, column in row.id(column).flatMap(Record.id(ofKey:)) },
      failedID: { failure, _ in
        column == nil ? nil : failure.key.flatMap(Record.id(ofKey:))
      })
    reading.isOpen = Record.readsAllColumns
    return reading
  }
}
