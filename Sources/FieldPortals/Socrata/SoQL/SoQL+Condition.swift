extension SoQL {
  /// A condition that is true or false for a row or a group of rows.
  ///
  /// ```swift
  /// let condition = mass >= 1000 && (fall == "Fell" || !name.starts(with: "Northwest Africa"))
  /// ```
  ///
  /// If a value is null, a comparison is neither true nor false, as in SQL, and the row is
  /// excluded.
  public struct Condition: Hashable, Sendable, CustomStringConvertible {
    package indirect enum Node: Hashable, Sendable, Codable {
      case constant(Bool)
      case comparison(Comparison, Expression, Expression)
      case between(Expression, Expression, Expression, isNegated: Bool)
      case membership(Expression, [Expression], isNegated: Bool)
      case null(Expression, isNegated: Bool)
      case like(Expression, Expression, isNegated: Bool)
      case expression(Expression)
      case not(Condition)
      /// Two or more conditions; the first isn't an `all` itself, because its parts are inlined.
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

    /// The condition as printed in a query.
    public var description: String { SoQLPrinter.text { $0.print(self) } }
  }
}

extension SoQL.Condition {
  /// A condition that is true for every row.
  public static var always: Self { Self(.constant(true)) }

  /// A condition that is true for no row.
  public static var never: Self { Self(.constant(false)) }

  /// Returns a column of Booleans, or a function that returns one, as a condition.
  public static func isTrue(_ expression: SoQL.Expression) -> Self { Self(.expression(expression)) }

  /// Returns a condition that is true if all conditions are; ``always`` if there are none.
  public static func all(_ conditions: some Sequence<Self>) -> Self {
    joined(conditions, unit: true, Node.all) { if case .all(let parts) = $0 { parts } else { nil } }
  }

  /// Returns a condition that is true if any condition is; ``never`` if there are none.
  public static func any(_ conditions: some Sequence<Self>) -> Self {
    joined(conditions, unit: false, Node.any) {
      if case .any(let parts) = $0 { parts } else { nil }
    }
  }

  /// Joins conditions without those that add nothing; one that absorbs all others stands alone.
  private static func joined(
    _ conditions: some Sequence<Self>, unit: Bool, _ make: ([Self]) -> Node,
    _ parts: (Node) -> [Self]?
  ) -> Self {
    var joined: [Self] = []
    for condition in conditions {
      if case .constant(let isTrue) = condition.node {
        if isTrue == unit { continue }
        return condition
      }
      if joined.isEmpty, let parts = parts(condition.node) {
        joined = parts
      } else {
        joined.append(condition)
      }
    }
    return joined.count > 1 ? Self(make(joined)) : joined.first ?? Self(.constant(unit))
  }

  /// Returns the conjunction of both conditions; ``always`` adds nothing, and ``never`` absorbs
  /// all.
  public static func && (left: Self, right: Self) -> Self { all([left, right]) }

  /// Returns the disjunction of both conditions; ``never`` adds nothing, and ``always`` absorbs
  /// all.
  public static func || (left: Self, right: Self) -> Self { any([left, right]) }

  /// Returns the negation; where the condition is neither true nor false, so is its negation.
  public static prefix func ! (condition: Self) -> Self {
    switch condition.node {
    case .constant(let isTrue): Self(.constant(!isTrue))
    case .not(let inner): inner
    default: Self(.not(condition))
    }
  }
}
