internal import FieldCore

// A condition or expression is encoded as its tree, in which each node has its name and the names
// of its parts: {"comparison":{"left":{"column":{"name":"mass"}},"operator":">=","right":…}}

extension SoQL.Condition: Codable {
  /// Creates a condition by decoding its tree.
  public init(from decoder: any Decoder) throws { self.init(try Node(from: decoder)) }

  /// Encodes the tree of the condition.
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
  /// Creates an expression by decoding its tree.
  public init(from decoder: any Decoder) throws { self.init(try Node(from: decoder)) }

  /// Encodes the tree of the expression.
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
  /// Creates a literal by decoding its kind and text; throws an error for an invalid number.
  public init(from decoder: any Decoder) throws {
    self.init(try Content(from: decoder))
    if case .number(let text) = content { self = try .number(exactly: text) }
  }

  /// Encodes the kind and the text of the literal.
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
  /// Creates a column by decoding its name; throws an error for an invalid name.
  public init(from decoder: any Decoder) throws { try self.init(try String(from: decoder)) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

extension SoQL.Selection: Codable {
  /// Creates a selection by decoding it.
  public init(from decoder: any Decoder) throws { self.init(try Item(from: decoder)) }

  /// Encodes the selection.
  public func encode(to encoder: any Encoder) throws { try item.encode(to: encoder) }
}

extension SoQL.Selection.Item {
  enum ExpressionCodingKeys: String, CodingKey { case _0 = "value", alias }
}
