extension SoQL {
  /// A sort key of a query.
  public struct Ordering: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The expression to sort by.
    public var expression: Expression
    /// A Boolean value that indicates whether the least value comes first.
    public var isAscending: Bool
    /// The placement of rows without a value.
    ///
    /// If it is `nil`, the server puts them last in an ascending order and first in a descending
    /// one.
    public var nulls: NullPlacement?

    /// Creates a sort key.
    public init(_ expression: Expression, isAscending: Bool = true, nulls: NullPlacement? = nil) {
      self.expression = expression
      self.isAscending = isAscending
      self.nulls = nulls
    }

    /// The sort key with rows without a value at the end.
    public var nullsLast: Self { Self(expression, isAscending: isAscending, nulls: .last) }

    /// The sort key with rows without a value at the beginning.
    public var nullsFirst: Self { Self(expression, isAscending: isAscending, nulls: .first) }

    /// A placement of rows without a value.
    public enum NullPlacement: String, Hashable, Sendable, Codable {
      /// The rows come before all others.
      case first
      /// The rows come after all others.
      case last
    }

    /// Creates an ascending sort key from a column name.
    public init(stringLiteral name: String) { self.init(.column(SoQL.Column(stringLiteral: name))) }
  }
}

extension SoQL.Ordering: CustomStringConvertible {
  /// The sort key as printed in a query.
  public var description: String { SoQLPrinter.text { $0.print(self) } }
}
