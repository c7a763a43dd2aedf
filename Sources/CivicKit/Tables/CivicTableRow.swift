/// A type whose values are rows of one of the directory's tables.
///
/// The types in this module conform; you don't need to add conformances.
public protocol CivicTableRow: Identifiable, Hashable, Codable, Sendable {
  /// The mapping of rows to a directory's records. Not for use.
  @_documentation(visibility: internal)
  static var rowTable: CivicRowTable<Self> { get }
}

extension CivicTableRow {
  /// The table that contains the rows.
  public static var table: CivicTable { rowTable.table }
}
