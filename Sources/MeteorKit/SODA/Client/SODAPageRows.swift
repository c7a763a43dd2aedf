internal import FieldCore

/// The rows of an answer, with what tells them apart.
struct SODAPageRows: Sendable {
  var rows: [SODARow] = []
  var failures: [RowFailure] = []
  var count = 0
  var tokens: [UInt64] = []
  var lastID: String?

  /// Reads an answer; rows without `:id`, such as groups, are numbered from `first`.
  init(_ body: [UInt8], from first: Int) throws {
    var order = SODAOrder(nil)
    var rows: [SODARow] = []
    let summary = try RowReader.forEachRow(
      of: body, columns: [RowColumn(":id")], key: 0, format: .jsonArray
    ) { row throws(RowProblem) in
      if let id = row.text(0) {
        order.note(id: id, stamp: nil)
        rows.append(try SODARow(row.object, key: nil))
      } else {
        rows.append(try SODARow(row.object, number: first + row.index))
      }
    }
    self.rows = rows
    failures = summary.failures
    count = summary.rowCount
    tokens = order.tokens
    lastID = order.lastID
  }
}
