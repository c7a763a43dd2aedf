extension SoQL {
  /// What has a value in each row: a column, a literal, a function of others, or an aggregate.
  ///
  /// ```swift
  /// let mass = SoQL.column("mass")
  /// SoQL.Query(select: [(mass.sum / 1000).named("kilograms"), "recclass"], group: [SoQL.column("recclass")])
  /// ```
  public struct Expression: Hashable, Sendable {
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
  }
}

extension SoQL.Expression {
  /// A call of any function, of which SoQL has some hundred; the common ones have a name here.
  ///
  /// - Parameters:
  ///   - function: The name of the function, such as `coalesce`, tamed as a ``SoQL/Column`` is.
  ///   - arguments: What it is called with.
  public static func call(_ function: SoQL.Column, _ arguments: SoQL.Expression...) -> Self {
    Self(.call(function, arguments))
  }

  /// A column.
  public static func column(_ column: SoQL.Column) -> Self { Self(.column(column)) }

  /// A literal.
  public static func value(_ value: SoQL.Value) -> Self { Self(.value(value)) }

  /// The truth value of a condition, for functions such as `case`.
  public static func condition(_ condition: SoQL.Condition) -> Self { Self(.condition(condition)) }

  /// The expression in a selection, under a name of its own.
  public func named(_ alias: SoQL.Column) -> SoQL.Selection {
    SoQL.Selection(self, named: alias)
  }

  /// The expression in an order, the least first; rows without a value come last.
  public var ascending: SoQL.Ordering { SoQL.Ordering(self) }

  /// The expression in an order, the greatest first; rows without a value come first, as the server
  /// has it unless ``SoQL/Ordering/nulls`` says otherwise.
  public var descending: SoQL.Ordering { SoQL.Ordering(self, isAscending: false) }

  package func calling(_ function: SoQL.Column, _ arguments: SoQL.Expression...) -> Self {
    Self(.call(function, [self] + arguments))
  }
}

extension SoQL.Expression: CustomStringConvertible {
  /// The expression as it is printed in a query.
  public var description: String {
    var printer = SoQLPrinter()
    printer.print(self)
    return printer.text
  }
}
