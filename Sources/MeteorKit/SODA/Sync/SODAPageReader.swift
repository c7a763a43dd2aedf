internal import FieldCore

/// Reads an answer into a page of records.
struct SODAPageReader<Record: StoredRecord> {
  private let reading: SODAReading<Record>
  private let request: PageRequest

  init(_ reading: SODAReading<Record>, after request: PageRequest) {
    self.reading = reading
    self.request = request
  }

  func read(_ body: [UInt8]) throws -> RecordPage<Record> {
    var order = SODAOrder(request)
    // The key may be `:id` itself, and a name belongs to one column only.
    var columns = reading.columns
    let idColumn = columns.position(of: SoQL.Column.id.name)
    let stampColumn = columns.position(of: SoQL.Column.updatedAt.name)
    var records: [Record] = []
    var tokens: [UInt64] = []
    let summary = try RowReader.forEachRow(
      of: body, columns: columns, key: reading.key, format: .jsonArray
    ) { row throws(RowProblem) in
      order.note(id: row.text(idColumn), stamp: row.text(stampColumn))
      let record = try reading.record(row)
      if records.isEmpty { records.reserveCapacity(row.expectedCount) }
      records.append(record)
      tokens.append(order.tokens.last ?? 0)
    }
    try order.check()
    return RecordPage(
      records: records, recordTokens: tokens, failures: summary.failures,
      failedIDs: summary.failures.compactMap { $0.key.map(reading.id) },
      facts: PageFacts(
        rowCount: summary.rowCount, rowTokens: order.tokens,
        end: order.lastID.map { SyncPosition(stamp: order.lastStamp, key: $0) }))
  }
}

extension [RowColumn] {
  /// The position of the column of a name, which is added when it is not there.
  mutating func position(of name: String) -> Int {
    if let position = firstIndex(where: { $0.names == [name] }) { return position }
    append(RowColumn(name))
    return count - 1
  }
}
