/// A column of a source, by the names that it has had over the years.
public struct RowColumn: Sendable, Hashable {
  /// The names, the usual one first. They match regardless of case, full width, a byte-order mark, and
  /// surrounding space.
  public var names: [String]

  /// Creates a column from its name and its older names.
  public init(_ names: String...) { self.names = names }
}

/// A record that is read from a row of any format: a JSON object, a positional array, a line of CSV,
/// a GeoJSON feature.
@usableFromInline
package protocol RowRecord: Sendable {
  /// The columns that the record reads; a row's cells are asked for by position in this list.
  static var rowColumns: [RowColumn] { get }

  /// The position in ``rowColumns`` of the column that names the row in a ``RowFailure``.
  static var rowKey: Int { get }

  /// Reads the record from a row; throws when the row cannot be used.
  init(row: borrowing SourceRow) throws(RowProblem)
}

/// The reason why a row can't be used, which becomes that of a ``RowFailure``.
public struct RowProblem: Error, Sendable, Hashable {
  /// What is wrong with the row.
  public var reason: String

  /// Creates a problem.
  public init(_ reason: String) { self.reason = reason }
}
