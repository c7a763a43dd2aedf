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

extension SODAReading {
  /// Reads a response to a request for IDs.
  func keys(in body: [UInt8]) throws -> KeyPage<Record.ID> {
    var order = SODAOrder(nil, columns: (0, nil))
    var ids: [Record.ID] = []
    var columns = [RowColumn(":id")]
    let key = columns.position(of: keyColumn)
    let summary = try RowReader.forEachRow(
      of: body, columns: columns, key: key, format: .jsonArray
    ) { row throws(RowProblem) in
      order.note(row)
      // Read the key exactly as from a whole row; otherwise, that row would seem to be removed.
      guard let id = id(row, key) else {
        throw RowProblem("there is no \(keyColumn)")
      }
      if ids.isEmpty { ids.reserveCapacity(row.expectedCount) }
      ids.append(id)
    }
    try order.check()
    return KeyPage(
      ids: ids, hasUnreadableIDs: !summary.failures.isEmpty,
      facts: PageMetadata(rowCount: summary.rowCount, rowHashes: order.tokens, end: order.end))
  }
}

// MARK: - Pages

extension SODAReading {
  /// Reads a response to a request into a page of records.
  func page(in body: [UInt8], after request: PageRequest) throws -> Batch<Record> {
    // The key may be `:id` itself, and each name has only one column.
    var columns = columns
    let idColumn = columns.position(of: ":id")
    let stampColumn = columns.position(of: ":updated_at")
    var order = SODAOrder(request, columns: (idColumn, stampColumn))
    var records: [Record] = []
    var tokens: [UInt64] = []
    let summary = try RowReader.forEachRow(
      of: body, columns: columns, key: key, watching: [key, idColumn, stampColumn],
      format: .jsonArray, isOpen: isOpen
    ) { row throws(RowProblem) in
      order.note(row)
      let record = try record(row)
      if records.isEmpty { records.reserveCapacity(row.expectedCount) }
      records.append(record)
      tokens.append(order.tokens.last ?? 0)
    }
    var failedIDs: [Record.ID] = []
    for (failure, cells) in zip(summary.failures, summary.watchedCells) {
      order.noteFailed(index: failure.index, id: cells[1]?.string, stamp: cells[2]?.string)
      // A key that is readable only in part doesn't identify its record.
      if failure.key?.contains("\u{FFFD}") == true { continue }
      if let id = failedID(failure, cells[0]) { failedIDs.append(id) }
    }
    try order.check()
    return Batch(
      records: records, recordHashes: tokens, failures: summary.failures, failedIDs: failedIDs,
      facts: PageMetadata(rowCount: summary.rowCount, rowHashes: order.tokens, end: order.end))
  }
}

extension [RowColumn] {
  /// Returns the position of the column with a name, which is added if it is missing.
  mutating func position(of name: String) -> Int {
    if let position = firstIndex(where: { $0.names == [name] }) { return position }
    append(RowColumn(name))
    return count - 1
  }
}
