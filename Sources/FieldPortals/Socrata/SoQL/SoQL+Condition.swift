extension SoQL {
  /// What is true or false of a row, or of a group of rows.
  ///
  /// ```swift
  /// let condition = mass >= 1000 && (fall == "Fell" || !name.starts(with: "Northwest Africa"))
  /// ```
  ///
  /// Where a value is null a comparison is neither true nor false, as in SQL, and the row is left out.
  public struct Condition: Hashable, Sendable {
    package indirect enum Node: Hashable, Sendable, Codable {
      case constant(Bool)
      case comparison(Comparison, Expression, Expression)
      case between(Expression, Expression, Expression, isNegated: Bool)
      case membership(Expression, [Expression], isNegated: Bool)
      case null(Expression, isNegated: Bool)
      case like(Expression, Expression, isNegated: Bool)
      case expression(Expression)
      case not(Condition)
      /// Two or more conditions; the first is no `all` itself, whose parts would stand here in its place.
      case all([Condition])
      case any([Condition])
    }

    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
      case equal = "="
      case notEqual = "!="
      case less = "<"
      case lessOrEqual = "<="
      case greater = ">"
      case greaterOrEqual = ">="
    }

    package let node: Node

    package init(_ node: Node) { self.node = node }
  }
}

extension SoQL.Condition {
  /// True of every row.
  public static var always: Self { Self(.constant(true)) }

  /// True of no row.
  public static var never: Self { Self(.constant(false)) }

  /// A column of truth values, or a function that gives one, as a condition.
  public static func isTrue(_ expression: SoQL.Expression) -> Self { Self(.expression(expression)) }

  /// True where all of the conditions are; ``always`` when there are none.
  public static func all(_ conditions: some Sequence<Self>) -> Self {
    conditions.reduce(.always) { $0 && $1 }
  }

  /// True where one of the conditions is; ``never`` when there are none.
  public static func any(_ conditions: some Sequence<Self>) -> Self {
    conditions.reduce(.never) { $0 || $1 }
  }

  /// Whether both are true; ``always`` adds nothing, and ``never`` leaves nothing.
  public static func && (left: Self, right: Self) -> Self {
    switch (left.node, right.node) {
    case (.constant(let isTrue), _): isTrue ? right : left
    case (_, .constant(let isTrue)): isTrue ? left : right
    case (.all(let conditions), _): Self(.all(conditions + [right]))
    default: Self(.all([left, right]))
    }
  }

  /// Whether one is true; ``never`` adds nothing, and ``always`` leaves nothing to ask.
  public static func || (left: Self, right: Self) -> Self {
    switch (left.node, right.node) {
    case (.constant(let isTrue), _): isTrue ? left : right
    case (_, .constant(let isTrue)): isTrue ? right : left
    case (.any(let conditions), _): Self(.any(conditions + [right]))
    default: Self(.any([left, right]))
    }
  }

  /// Whether the condition is false; where it is neither true nor false, its opposite is neither.
  public static prefix func ! (condition: Self) -> Self {
    switch condition.node {
    case .constant(let isTrue): Self(.constant(!isTrue))
    case .not(let inner): inner
    default: Self(.not(condition))
    }
  }
}

extension SoQL.Condition: CustomStringConvertible {
  /// The condition as it is printed in a query.
  public var description: String {
    var printer = SoQLPrinter()
    printer.print(self)
    return printer.text
  }
}
