internal import FieldCore

// A condition and an expression are encoded as their trees, in which each node has its name and the names
// of its parts: {"comparison":{"left":{"column":{"name":"mass"}},"operator":">=","right":…}}

extension SoQL.Condition: Codable {
  /// Reads the tree of the condition.
  public init(from decoder: any Decoder) throws { self.init(try Node(from: decoder)) }

  /// Writes the tree of the condition.
  public func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

extension SoQL.Condition.Node {
  enum ConstantCodingKeys: String, CodingKey { case _0 = "value" }
  enum ComparisonCodingKeys: String, CodingKey { case _0 = "operator", _1 = "left", _2 = "right" }
  enum BetweenCodingKeys: String, CodingKey {
    case _0 = "expression", _1 = "lower", _2 = "upper", isNegated
  }
  enum MembershipCodingKeys: String, CodingKey { case _0 = "expression", _1 = "values", isNegated }
  enum NullCodingKeys: String, CodingKey { case _0 = "expression", isNegated }
  enum LikeCodingKeys: String, CodingKey { case _0 = "expression", _1 = "pattern", isNegated }
  enum ExpressionCodingKeys: String, CodingKey { case _0 = "expression" }
  enum NotCodingKeys: String, CodingKey { case _0 = "condition" }
  enum AllCodingKeys: String, CodingKey { case _0 = "conditions" }
  enum AnyCodingKeys: String, CodingKey { case _0 = "conditions" }
}

extension SoQL.Expression: Codable {
  /// Reads the tree of the expression.
  public init(from decoder: any Decoder) throws { self.init(try Node(from: decoder)) }

  /// Writes the tree of the expression.
  public func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
}

extension SoQL.Expression.Node {
  enum ColumnCodingKeys: String, CodingKey { case _0 = "name" }
  enum ValueCodingKeys: String, CodingKey { case _0 = "literal" }
  enum CallCodingKeys: String, CodingKey { case _0 = "function", _1 = "arguments" }
  enum OperationCodingKeys: String, CodingKey { case _0 = "operator", _1 = "left", _2 = "right" }
  enum NegativeCodingKeys: String, CodingKey { case _0 = "expression" }
  enum ConditionCodingKeys: String, CodingKey { case _0 = "condition" }
}

extension SoQL.Value: Codable {
  /// Reads the kind and the text of the literal; a number that is none is refused.
  public init(from decoder: any Decoder) throws {
    self.init(try Content(from: decoder))
    if case .number(let text) = content { self = try .number(exactly: text) }
  }

  /// Writes the kind and the text of the literal.
  public func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}

extension SoQL.Value.Content {
  enum TextCodingKeys: String, CodingKey { case _0 = "value" }
  enum NumberCodingKeys: String, CodingKey { case _0 = "value" }
  enum BooleanCodingKeys: String, CodingKey { case _0 = "value" }
  enum FixedTimestampCodingKeys: String, CodingKey { case _0 = "value" }
  enum FloatingTimestampCodingKeys: String, CodingKey { case _0 = "value" }
  enum GeometryCodingKeys: String, CodingKey { case _0 = "value" }
}

extension SoQL.Column: Codable {
  /// Reads the name; one that cannot be that of a column is refused.
  public init(from decoder: any Decoder) throws { try self.init(try String(from: decoder)) }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

extension SoQL.Selection: Codable {
  /// Reads what is selected.
  public init(from decoder: any Decoder) throws { self.init(try Item(from: decoder)) }

  /// Writes what is selected.
  public func encode(to encoder: any Encoder) throws { try item.encode(to: encoder) }
}

extension SoQL.Selection.Item {
  enum ExpressionCodingKeys: String, CodingKey { case _0 = "value", alias }
}
