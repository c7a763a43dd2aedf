extension SoQL {
  /// An expression with a value in each row: a column, a literal, a function, or an aggregate.
  ///
  /// ```swift
  /// let mass = SoQL.column("mass")
  /// SoQL.Query(select: [(mass.sum / 1000).named("kilograms"), "recclass"], group: [SoQL.column("recclass")])
  /// ```
  public struct Expression: Hashable, Sendable, CustomStringConvertible {
    package indirect enum Node: Hashable, Sendable, Codable {
      case column(Column)
      case value(Value)
      case countRows
      case call(Column, [Expression])
      case operation(Operator, Expression, Expression)
      case negative(Expression)
      case condition(Condition)
    }

    package enum Operator: String, Hashable, Sendable, Codable, CaseIterable {
      case add = "+"
      case subtract = "-"
      case concatenate = "||"
      case multiply = "*"
      case divide = "/"
      case remainder = "%"
      case power = "^"
    }

    package let node: Node

    package init(_ node: Node) { self.node = node }

    /// The expression as printed in a query.
    public var description: String { SoQLPrinter.text { $0.print(self) } }
  }
}

extension SoQL.Expression {
  /// Returns a call of any function; of SoQL's roughly 100, the common ones have their own members.
  ///
  /// - Parameters:
  ///   - function: The name of the function, such as `coalesce`, in which invalid characters are
  ///     replaced as in a ``SoQL/Column``.
  ///   - arguments: The arguments of the call.
  public static func call(_ function: SoQL.Column, _ arguments: SoQL.Expression...) -> Self {
    Self(.call(function, arguments))
  }

  /// Returns the expression for a column.
  public static func column(_ column: SoQL.Column) -> Self { Self(.column(column)) }

  /// Returns the expression for a literal.
  public static func value(_ value: SoQL.Value) -> Self { Self(.value(value)) }

  /// Returns the Boolean value of a condition, for functions such as `case`.
  public static func condition(_ condition: SoQL.Condition) -> Self { Self(.condition(condition)) }

  /// Returns a selection of the expression with an alias.
  public func named(_ alias: SoQL.Column) -> SoQL.Selection { SoQL.Selection(self, named: alias) }

  /// The ascending order by the expression; rows without a value come last.
  public var ascending: SoQL.Ordering { SoQL.Ordering(self) }

  /// The descending order by the expression.
  ///
  /// Rows without a value come first, which is the server's default; to change that, see
  /// ``SoQL/Ordering/nulls``.
  public var descending: SoQL.Ordering { SoQL.Ordering(self, isAscending: false) }

  package func calling(_ function: SoQL.Column, _ arguments: SoQL.Expression...) -> Self {
    Self(.call(function, [self] + arguments))
  }
}
