/// The mapping of rows of one type to a directory's records.
///
/// Not for use.
///
/// A record contains one row, or all links of one ID.
@_documentation(visibility: internal)
public struct CivicRowTable<Row: CivicTableRow>: Sendable {
  let table: CivicTable
  let kind: CivicRecord.ID.Table
  /// The function that returns all rows of a view, in the order in which they were stored.
  let all: @Sendable (CivicView) -> [Row]
  /// The function that returns the key of the record that contains the row with an ID.
  let key: @Sendable (Row.ID) -> String
  /// The function that returns the names and contents of the columns that must not be blank.
  let columns: @Sendable (Row) -> [(name: String, text: String)]
  /// The function that returns the name of a row, which must not be blank either.
  var name: @Sendable (Row) -> String? = { _ in nil }
  /// The function that creates a record from its key and one or more rows.
  let record: @Sendable (String, [Row]) -> CivicRecord
  /// The function that returns the rows of a record of this kind.
  let rows: @Sendable (CivicRecord) -> [Row]?

  func recordID(_ key: String) -> CivicRecord.ID { CivicRecord.ID(kind, key) }

  /// Returns the reasons that a row can't be stored; empty if it can.
  func problems(of row: Row) -> [String] {
    var problems: [String] = []
    for column in columns(row) {
      let clean = CleanText.value(column.text)
      if clean == nil {
        problems.append("\(column.name) is blank")
      } else if clean != column.text {
        problems.append("\(column.name) has space around it")
      }
    }
    if let name = name(row), CleanText.value(name) == nil { problems.append("name is blank") }
    return problems
  }
}

extension CivicRowTable {
  /// Creates a table whose rows have one record each.
  init(
    _ table: CivicTable, _ kind: CivicRecord.ID.Table,
    _ all: @escaping @Sendable (CivicView) -> [Row],
    key: @escaping @Sendable (Row.ID) -> String, column: String?,
    name: @escaping @Sendable (Row) -> String? = { _ in nil },
    record: @escaping @Sendable (Row) -> CivicRecord,
    row: @escaping @Sendable (CivicRecord) -> Row?
  ) {
    self.init(
      table: table, kind: kind, all: all, key: key,
      columns: { row in column.map { [($0, key(row.id))] } ?? [] }, name: name,
      record: { record($1[0]) }, rows: { row($0).map { [$0] } })
  }
}
