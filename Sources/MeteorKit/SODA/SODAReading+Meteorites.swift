internal import FieldCore
internal import FieldPortals

extension SODAReading<Meteorite> {
  static var meteorites: Self {
    Self(
      columns: Meteorite.rowColumns, key: Meteorite.rowKey, keyColumn: "id",
      selection: [.allColumns], version: "meteorites/1",
      record: { row throws(RowProblem) in try Meteorite(row: row) },
      id: { row, column in row.id(column).map(Meteorite.ID.init(rawValue:)) },
      failedID: { failure, _ in failure.key.map(Meteorite.ID.init(rawValue:)) })
  }
}
