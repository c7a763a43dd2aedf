internal import FieldCore

/// The rows of a response, with the tokens that identify them.
struct SODAPageRows<Row: Sendable>: Sendable {
  /// A closure that reads the values of a body.
  ///
  /// Its second parameter is the number of the first row in the query.
  typealias Reader = @Sendable ([UInt8], Int) throws -> RowReader.Values<Row>

  let rows: [Row]
  let failures: [RowFailure]
  let notices: [RefreshReport.Notice]
  let count: Int
  let tokens: [UInt64]
  let lastID: String?

  /// Reads a response: once what orders its rows, and once the rows.
  ///
  /// - Parameters:
  ///   - first: The number of the first row, for rows without `:id`, such as groups.
  ///   - needsID: Whether the next page is requested by `:id`, so that a row without one is an
  ///     error. A server that omits it ignores the condition as well and returns the same rows
  ///     forever.
  init(_ body: [UInt8], from first: Int, needsID: Bool, reading read: Reader) throws {
    var order = SODAOrder(nil, columns: (0, nil))
    var hashes: [UInt64] = []
    let keys = try RowReader.forEachRow(
      of: body, columns: [RowColumn(":id")], key: 0, watching: [0], format: .jsonArray
    ) { row in
      if row.isPresent(0) { order.note(row) } else { hashes.append(row.contentHash) }
    }
    if needsID, !hashes.isEmpty { throw SODAOrder.missing }
    for (failure, cells) in zip(keys.failures, keys.watchedCells) {
      order.noteFailed(index: failure.index, id: cells[0]?.string, stamp: nil)
    }
    let found = try read(body, first)
    rows = found.values
    failures = try Self.withKeys(found.failures, in: body)
    notices = found.unreadable.notice.map { [$0] } ?? []
    count = keys.rowCount
    tokens = order.tokens + hashes
    lastID = order.end?.key
  }

  /// Returns failures with the `:id` of each row instead of the value of a column.
  private static func withKeys(_ failures: [RowFailure], in body: [UInt8]) throws -> [RowFailure] {
    guard !failures.isEmpty else { return [] }
    var keyed = Dictionary(
      failures.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    let keys = try RowReader.forEachRow(
      of: body, columns: [RowColumn(":id")], key: 0, format: .jsonArray
    ) { row in
      keyed[row.index]?.key = row.trimmedText(0)
    }
    for failure in keys.failures { keyed[failure.index]?.key = failure.key }
    return keyed.values.sorted { $0.index < $1.index }
  }
}

extension SODARow {
  /// Returns the rows of a body; one without `:id` gets its number in the query instead.
  static func rows(
    of body: [UInt8], from first: Int
  ) throws(FieldError) -> RowReader.Values<SODARow> {
    var read = RowReader.Values<SODARow>()
    read.failures = try RowReader.forEachRow(
      of: body, columns: [RowColumn(":id")], key: 0, format: .jsonArray
    ) { row throws(RowProblem) in
      read.values.append(
        row.isPresent(0)
          ? try SODARow(row.object, key: nil)
          : try SODARow(row.object, number: first + row.index))
    }.failures
    return read
  }
}
