internal import FieldCore

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
