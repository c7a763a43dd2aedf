internal import FieldCore

extension SODAReading where Record: RowReadable {
  /// Returns the conversion for a record of the user's own.
  ///
  /// - Parameters:
  ///   - key: The column of its ID; `nil` for the record's own name of it.
  static func records(key: String?) -> Self {
    let column = Record.keyColumn
    return Self(
      columns: Record.columns, key: 0, keyColumn: key ?? column?.names.first ?? ":id",
      version: "records/1",
      record: { row throws(RowProblem) in try Record(row: row) },
      id: { row, column in row.id(column).flatMap(Record.id(ofKey:)) },
      failedID: { failure, _ in
        column == nil ? nil : failure.key.flatMap(Record.id(ofKey:))
      })
  }
}
