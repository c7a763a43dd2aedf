extension SoQL {
  /// One key of an order.
  public struct Ordering: Hashable, Sendable, Codable {
    /// What the rows are ordered by.
    public var expression: Expression
    /// Whether the least comes first.
    public var isAscending: Bool
    /// Where rows without a value come; nil leaves it to the server, which has them last in an
    /// ascending and first in a descending order.
    public var nulls: NullPlacement?

    /// Makes a key.
    public init(
      _ expression: Expression, isAscending: Bool = true, nulls: NullPlacement? = nil
    ) {
      self.expression = expression
      self.isAscending = isAscending
      self.nulls = nulls
    }

    /// The key with rows without a value at the end.
    public var nullsLast: Self { Self(expression, isAscending: isAscending, nulls: .last) }

    /// The key with rows without a value at the beginning.
    public var nullsFirst: Self { Self(expression, isAscending: isAscending, nulls: .first) }

    /// Where rows without a value come.
    public enum NullPlacement: String, Hashable, Sendable, Codable {
      /// Before all others.
      case first
      /// After all others.
      case last
    }
  }
}

extension SoQL.Ordering: ExpressibleByStringLiteral {
  /// Makes an ascending key of a column.
  public init(stringLiteral name: String) {
    self.init(.column(SoQL.Column(stringLiteral: name)))
  }
}

extension SoQL.Ordering: CustomStringConvertible {
  /// The key as it is printed in a query.
  public var description: String {
    var printer = SoQLPrinter()
    printer.print(self)
    return printer.text
  }
}
