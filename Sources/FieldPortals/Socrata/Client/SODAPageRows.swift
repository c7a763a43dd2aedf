internal import FieldCore

/// The rows of a response, with the tokens that identify them.
struct SODAPageRows: Sendable {
  var rows: [SODARow] = []
  var failures: [RowFailure] = []
  var count = 0
  var tokens: [UInt64] = []
  var lastID: String?

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - first: The number of the first row, for rows without `:id`, such as groups.
  ///   - needsID: Whether the next page is requested by `:id`, so that a row without one is an
  ///     error. A server that omits it ignores the condition as well and returns the same rows
  ///     forever.
  init(_ body: [UInt8], from first: Int, needsID: Bool) throws {
    var order = SODAOrder(nil, columns: (0, nil))
    var rows: [SODARow] = []
    var hashes: [UInt64] = []
    var isWithout = false
    let summary = try RowReader.forEachRow(
      of: body, columns: [RowColumn(":id")], key: 0, watching: [0], format: .jsonArray
    ) { row throws(RowProblem) in
      if row.isPresent(0) {
        order.note(row)
        rows.append(try SODARow(row.object, key: nil))
      } else {
        isWithout = true
        let read = try SODARow(row.object, number: first + row.index)
        hashes.append(UInt64(bitPattern: Int64(read.cells.hashValue)))
        rows.append(read)
      }
    }
    if needsID, isWithout { throw SODAOrder.missing }
    for (failure, cells) in zip(summary.failures, summary.watchedCells) {
      order.noteFailed(index: failure.index, id: cells[0]?.string, stamp: nil)
    }
    self.rows = rows
    failures = summary.failures
    count = summary.rowCount
    tokens = order.tokens + hashes
    lastID = order.end?.key
  }
}
