/// A column of a source, with all names that it has had over the years.
public struct RowColumn: Sendable, Hashable {
  /// The names, the usual one first.
  ///
  /// They match regardless of case, full width, byte-order marks, and white space.
  public var names: [String]

  /// Creates a column from its name and its older names.
  public init(_ names: String...) { self.names = names }

  init(names: [String]) { self.names = names }
}

/// A record that can be read from a row of any format: a JSON object, a positional array, a line of
/// CSV, or a GeoJSON feature.
@usableFromInline
package protocol RowRecord: Sendable {
  /// The columns that the record reads, whose positions identify the cells of a row.
  static var rowColumns: [RowColumn] { get }

  /// The position in ``rowColumns`` of the column that identifies the row in a ``RowFailure``.
  static var rowKey: Int { get }

  /// Creates a record from a row, or throws an error if the row can't be used.
  init(row: borrowing SourceRow) throws(RowProblem)
}

/// The reason why a row can't be used, which becomes the reason of a ``RowFailure``.
public struct RowProblem: Error, Sendable, Hashable {
  /// A description of the problem.
  public var reason: String

  /// Creates a problem.
  public init(_ reason: String) { self.reason = reason }
}
