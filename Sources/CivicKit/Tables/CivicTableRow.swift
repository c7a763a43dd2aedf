/// A row of one of the directory's tables: what can be created, inserted or replaced, deleted and listed.
///
/// The types of this module conform; there is no need for others.
public protocol CivicTableRow: Identifiable, Hashable, Codable, Sendable {
  /// The way that the rows are kept in a directory. Not for use.
  @_documentation(visibility: internal)
  static var rowTable: CivicRowTable<Self> { get }
}

extension CivicTableRow {
  /// The table that the rows are in.
  public static var table: CivicTable { rowTable.table }
}
