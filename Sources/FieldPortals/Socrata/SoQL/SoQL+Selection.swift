extension SoQL {
  /// A selection of a query: a column, an expression with an alias, or all columns.
  ///
  /// ```swift
  /// let select: [SoQL.Selection] = [.allColumns, ":id", .count(named: "n")]
  /// ```
  public struct Selection: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package enum Item: Hashable, Sendable, Codable {
      case systemColumns
      case columns
      case expression(Expression, alias: Column?)
    }

    package let item: Item

    init(_ item: Item) { self.item = item }

    /// Creates a selection of an expression; without an alias, the server chooses a name.
    public init(_ expression: Expression, named alias: Column? = nil) {
      item = .expression(expression, alias: alias)
    }

    /// All columns of the dataset, `*`.
    public static var allColumns: Self { Self(.columns) }

    /// All system fields, `:*`.
    public static var systemColumns: Self { Self(.systemColumns) }

    /// Returns a selection of a column.
    public static func column(_ column: Column) -> Self { Self(Expression.column(column)) }

    /// Returns a selection of the number of rows, with an alias.
    public static func count(named alias: Column) -> Self { Self(Expression.count, named: alias) }

    /// Creates a selection from a column name.
    public init(stringLiteral name: String) { self = .column(SoQL.Column(stringLiteral: name)) }

    /// The selection as printed in a query.
    public var description: String { SoQLPrinter.text { $0.print(self) } }
  }
}
