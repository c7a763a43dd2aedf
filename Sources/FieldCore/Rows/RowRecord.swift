/// A column that a record reads, by the names it has had in the source's files over the years.
@usableFromInline
package struct RowColumn: Sendable, Hashable {
  /// The names, the usual one first. They are compared without regard to case, to full width, to a
  /// byte-order mark and to surrounding space.
  package var names: [String]

  package init(_ names: String...) { self.names = names }
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
  init(row: borrowing Row) throws(RowProblem)
}

/// Why a row cannot be used.
@usableFromInline
package struct RowProblem: Error, Sendable, Hashable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}
