package import FieldCore

/// A record that is read from rows without a catalog.
package protocol RowRecord: Sendable {
  /// The columns that the record reads, whose positions identify the cells of a row.
  static var rowColumns: [RowColumn] { get }

  /// The position in ``rowColumns`` of the column that identifies the row in a failure.
  static var rowKey: Int { get }

  /// Creates a record from a row, or throws an error if the row can't be used.
  init(row: borrowing SourceRow) throws(RowProblem)
}

/// The records of a body, and the facts about it.
@dynamicMemberLookup
package struct RowBatch<Record: RowRecord>: Sendable {
  /// The records, in the order of the body.
  package var records: [Record]
  /// The facts about the body besides the records.
  package var summary: RowSummary

  /// A fact about the body, such as the number of rows.
  package subscript<Fact>(dynamicMember fact: KeyPath<RowSummary, Fact>) -> Fact {
    summary[keyPath: fact]
  }
}

extension RowReader {
  /// Reads all rows into records.
  package static func read<Record: RowRecord>(
    _ bytes: [UInt8], as type: Record.Type = Record.self, format: RowFormat? = nil,
    charset: String? = nil
  ) throws(FieldError) -> RowBatch<Record> {
    var records: [Record] = []
    let summary = try forEachRow(
      of: bytes, columns: Record.rowColumns, key: Record.rowKey, format: format, charset: charset
    ) { row throws(RowProblem) in
      let record = try Record(row: row)
      try row.checkColumns()
      records.append(record)
    }
    return RowBatch(records: records, summary: summary)
  }
}
