internal import FieldCore

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
