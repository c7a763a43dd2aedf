extension SoQL.Expression {
  private func compared(_ comparison: SoQL.Condition.Comparison, _ other: Self) -> SoQL.Condition {
    SoQL.Condition(.comparison(comparison, self, other))
  }

  private func combined(_ operation: Operator, _ other: Self) -> Self {
    Self(.operation(operation, self, other))
  }

  // MARK: With literals

  /// Returns the condition that the value equals the literal; not true for null.
  public static func == (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.equal, .value(right))
  }
  /// Returns the condition that the value differs from the literal; not true for null.
  public static func != (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.notEqual, .value(right))
  }
  /// Returns the condition that the value is less than the literal.
  public static func < (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.less, .value(right))
  }
  /// Returns the condition that the value is less than or equal to the literal.
  public static func <= (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.lessOrEqual, .value(right))
  }
  /// Returns the condition that the value is greater than the literal.
  public static func > (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.greater, .value(right))
  }
  /// Returns the condition that the value is greater than or equal to the literal.
  public static func >= (left: Self, right: SoQL.Value) -> SoQL.Condition {
    left.compared(.greaterOrEqual, .value(right))
  }
  /// Returns the sum of the value and the literal.
  public static func + (left: Self, right: SoQL.Value) -> Self {
    left.combined(.add, .value(right))
  }
  /// Returns the difference between the value and the literal.
  public static func - (left: Self, right: SoQL.Value) -> Self {
    left.combined(.subtract, .value(right))
  }
  /// Returns the product of the value and the literal.
  public static func * (left: Self, right: SoQL.Value) -> Self {
    left.combined(.multiply, .value(right))
  }
  /// Returns the quotient of the value and the literal.
  public static func / (left: Self, right: SoQL.Value) -> Self {
    left.combined(.divide, .value(right))
  }
  /// Returns the remainder of dividing the value by the literal.
  public static func % (left: Self, right: SoQL.Value) -> Self {
    left.combined(.remainder, .value(right))
  }

  // MARK: With other expressions

  /// Returns the condition that the values are equal; not true if one is null.
  ///
  /// Expressions are also comparable as Swift values, so state the type if it is ambiguous: `let
  /// condition: SoQL.Condition = left == right`.
  public static func == (left: Self, right: Self) -> SoQL.Condition { left.compared(.equal, right) }
  /// Returns the condition that the values differ; not true if one is null.
  public static func != (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.notEqual, right)
  }
  /// Returns the condition that the left value is less than the right one.
  public static func < (left: Self, right: Self) -> SoQL.Condition { left.compared(.less, right) }
  /// Returns the condition that the left value is less than or equal to the right one.
  public static func <= (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.lessOrEqual, right)
  }
  /// Returns the condition that the left value is greater than the right one.
  public static func > (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.greater, right)
  }
  /// Returns the condition that the left value is greater than or equal to the right one.
  public static func >= (left: Self, right: Self) -> SoQL.Condition {
    left.compared(.greaterOrEqual, right)
  }
  /// Returns the sum of the values.
  public static func + (left: Self, right: Self) -> Self { left.combined(.add, right) }
  /// Returns the difference between the values.
  public static func - (left: Self, right: Self) -> Self { left.combined(.subtract, right) }
  /// Returns the product of the values.
  public static func * (left: Self, right: Self) -> Self { left.combined(.multiply, right) }
  /// Returns the quotient of the values.
  public static func / (left: Self, right: Self) -> Self { left.combined(.divide, right) }
  /// Returns the remainder of dividing the left value by the right one.
  public static func % (left: Self, right: Self) -> Self { left.combined(.remainder, right) }
  /// Returns the negative of the value.
  public static prefix func - (expression: Self) -> Self { Self(.negative(expression)) }

  /// Returns the concatenation of the texts, `||`.
  public func followed(by other: Self) -> Self { combined(.concatenate, other) }
  /// Returns the value raised to a power.
  public func raised(to exponent: Self) -> Self { combined(.power, exponent) }
}
