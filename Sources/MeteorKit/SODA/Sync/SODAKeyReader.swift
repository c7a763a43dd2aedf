internal import FieldCore

/// Reads an answer to a request for ids.
struct SODAKeyReader<Record: StoredRecord> {
  private let reading: SODAReading<Record>

  init(_ reading: SODAReading<Record>) { self.reading = reading }

  func read(_ body: [UInt8]) throws -> KeyPage<Record.ID> {
    var order = SODAOrder(nil)
    var ids: [Record.ID] = []
    var columns = [RowColumn(SoQL.Column.id.name)]
    let key = columns.position(of: reading.keyColumn.name)
    let summary = try RowReader.forEachRow(
      of: body, columns: columns, key: key, format: .jsonArray
    ) { row throws(RowProblem) in
      order.note(id: row.text(0), stamp: nil)
      guard let key = row.trimmedText(key) else {
        throw RowProblem("there is no \(reading.keyColumn)")
      }
      if ids.isEmpty { ids.reserveCapacity(row.expectedCount) }
      ids.append(reading.id(key))
    }
    try order.check()
    return KeyPage(
      ids: ids, hasUnreadableIDs: !summary.failures.isEmpty,
      facts: PageFacts(
        rowCount: summary.rowCount, rowTokens: order.tokens,
        end: order.lastID.map { SyncPosition(key: $0) }))
  }
}
