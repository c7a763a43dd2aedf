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
    let (idColumn, stampColumn) = (reading.columns.count, reading.columns.count + 1)
    var records: [Record] = []
    var tokens: [UInt64] = []
    let summary = try RowReader.forEachRow(
      of: body, columns: reading.columns + [RowColumn(":id"), RowColumn(":updated_at")],
      key: reading.key, format: .jsonArray
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
