extension SoQL.Expression {
  private func compared(_ comparison: SoQL.Condition.Comparison, _ other: Self) -> SoQL.Condition {
    SoQL.Condition(.comparison(comparison, self, other))
  }

  private func combined(_ operation: Operator, _ other: Self) -> Self {
    Self(.operation(operation, self, other))
  }

  // MARK: With literals

  /// Whether the value equals the literal; not so for null.
  public static func == (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.equal, .value(right))
  }
  /// Whether the value differs from the literal; not so for null.
  public static func != (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.notEqual, .value(right))
  }
  /// Whether the value is less than the literal.
  public static func < (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.less, .value(right))
  }
  /// Whether the value is the literal or less.
  public static func <= (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.lessOrEqual, .value(right))
  }
  /// Whether the value is greater than the literal.
  public static func > (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.greater, .value(right))
  }
  /// Whether the value is the literal or greater.
  public static func >= (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.greaterOrEqual, .value(right))
  }
  /// The sum.
  public static func + (left: Self, right: SoQL.Value) -> Self {
    left.combined(.add, .value(right))
  }
  /// The difference.
  public static func - (left: Self, right: SoQL.Value) -> Self {
    left.combined(.subtract, .value(right))
  }
  /// The product.
  public static func * (left: Self, right: SoQL.Value) -> Self {
    left.combined(.multiply, .value(right))
  }
  /// The quotient.
  public static func / (left: Self, right: SoQL.Value) -> Self {
    left.combined(.divide, .value(right))
  }
  /// The remainder.
  public static func % (left: Self, right: SoQL.Value) -> Self {
    left.combined(.remainder, .value(right))
  }

  // MARK: With other expressions

  /// Whether the values are equal; not so when one is null.
  ///
  /// Expressions can be compared as Swift values too, so say which is meant where nothing else does:
  /// `let condition: SoQL.Condition = left == right`.
  public static func == (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.equal, right)
  }
  /// Whether the values differ; not so when one is null.
  public static func != (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.notEqual, right)
  }
  /// Whether the left value is less.
  public static func < (left: Self, right: Self) -> SoQL.Condition { left.compared(.less, right) }
  /// Whether the left value is not greater.
  public static func <= (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.lessOrEqual, right)
  }
  /// Whether the left value is greater.
  public static func > (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.greater, right)
  }
  /// Whether the left value is not less.
  public static func >= (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.greaterOrEqual, right)
  }
  /// The sum.
  public static func + (left: Self, right: Self) -> Self { left.combined(.add, right) }
  /// The difference.
  public static func - (left: Self, right: Self) -> Self { left.combined(.subtract, right) }
  /// The product.
  public static func * (left: Self, right: Self) -> Self { left.combined(.multiply, right) }
  /// The quotient.
  public static func / (left: Self, right: Self) -> Self { left.combined(.divide, right) }
  /// The remainder.
  public static func % (left: Self, right: Self) -> Self { left.combined(.remainder, right) }
  /// The opposite number.
  public static prefix func - (expression: Self) -> Self { Self(.negative(expression)) }

  /// The texts one after the other, `||`.
  public func followed(by other: Self) -> Self { combined(.concatenate, other) }
  /// The power.
  public func raised(to exponent: Self) -> Self { combined(.power, exponent) }
}
