package import FieldCore

/// How the rows of a dataset become records.
package struct SODAReading<Record: StoredRecord>: Sendable {
  /// The columns that are read by position.
  var columns: [RowColumn]
  /// The position of the column of the key.
  var key: Int
  /// The name of that column.
  var keyColumn: SoQL.Column
  /// What the query selects, besides the system fields that order the rows.
  var selection: [SoQL.Selection]
  /// The version of the reader, for fingerprints.
  var version: String
  /// Reads a record.
  var record: @Sendable (borrowing SourceRow) throws(RowProblem) -> Record
  /// The id that the cell of the key makes, at a position of a row that has little else; nil when it
  /// makes none. It comes out as in ``record``.
  var id: @Sendable (borrowing SourceRow, Int) -> Record.ID?
  /// The id of a row that could not be read, from its failure and its cell of the key.
  var failedID: @Sendable (RowFailure, JSONValue?) -> Record.ID?

  /// Makes a reading.
  package init(
    columns: [RowColumn], key: Int, keyColumn: SoQL.Column, selection: [SoQL.Selection],
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

extension SODAReading<SODARow> {
  /// Rows of any dataset.
  static func rows(key: SoQL.Column?, selection: [SoQL.Selection]) -> Self {
    let column = key ?? .id
    let name = key?.name
    var selection = selection.isEmpty ? [.allColumns] : selection
    // Without its key no row can be kept.
    if let key, !selection.contains(.allColumns), !selection.contains(.column(key)) {
      selection.append(.column(key))
    }
    return Self(
      columns: [RowColumn(column.name)], key: 0, keyColumn: column, selection: selection,
      version: "rows/1",
      record: { row throws(RowProblem) in try SODARow(row.object, key: name) },
      id: { row, column in row.json(column).flatMap(SODARow.id) },
      failedID: { _, cell in cell.flatMap(SODARow.id) })
  }
}
