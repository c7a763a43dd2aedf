/// A checker that resolves the names and types of expressions, and reports errors.
struct FakeSoQLChecker {
  let executor: FakeSoQLExecutor
  /// The names that the selection defines.
  var aliases: [String: FakeSoQLExpression] = [:]
  /// The expressions to group rows by; `nil` without groups.
  var groups: [FakeSoQLExpression]?
  private(set) var aggregates: [FakeSoQLAggregate] = []
  private var known: [FakeSoQLExpression: Int] = [:]
  private var isInAggregate = false
  private var openAliases: Set<String> = []

  init(_ executor: FakeSoQLExecutor) { self.executor = executor }

  var columns: [FakeSODAServer.Column] { executor.table.columns }

  /// Resolves a condition, if there is one.
  mutating func condition(
    _ expression: FakeSoQLExpression?
  ) throws(FakeSoQLError) -> FakeSoQLNode? {
    guard let expression else { return nil }
    let condition = try check(expression)
    guard condition.type == .boolean || condition.type == .null else {
      throw .soql(
        "type-mismatch", "Type mismatch: a condition is checkbox, not \(condition.type.name)",
        at: expression.offset)
    }
    return condition.node
  }

  mutating func check(_ expression: FakeSoQLExpression) throws(FakeSoQLError) -> FakeSoQLTyped {
    if let groups, !isInAggregate, let index = groups.firstIndex(of: expression) {
      isInAggregate = true
      defer { isInAggregate = false }
      return FakeSoQLTyped(node: .key(index), type: try check(expression).type)
    }
    switch expression {
    case .text(let text, _):
      return FakeSoQLTyped(node: .constant(.text(text)), type: .text, literal: text)
    case .number(let text, let position):
      guard let value = FakeSoQLNumber.value(text) else {
        throw .malformed("\(text) is too large", at: position.offset)
      }
      return FakeSoQLTyped(node: .constant(.number(value)), type: .number)
    case .boolean(let value):
      return FakeSoQLTyped(node: .constant(.boolean(value)), type: .boolean)
    case .null: return FakeSoQLTyped(node: .constant(.null), type: .null)
    case .star: throw .malformed("Could not parse SoQL query: `*' is of count alone")
    case .column(let name, let position): return try column(name, position)
    case .call(let name, let arguments, let position):
      if let kind = FakeSoQLAggregate.Kind(rawValue: name) {
        return try aggregate(kind, arguments, expression, position)
      }
      var typed: [FakeSoQLTyped] = []
      for argument in arguments { typed.append(try check(argument)) }
      return try call(name, typed, at: position.offset)
    }
  }

  private mutating func column(
    _ name: String, _ position: FakeSoQLPosition
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    if let alias = aliases[name], alias != .column(name, position), !isInAggregate {
      guard openAliases.insert(name).inserted else {
        throw .soql("circular-alias-definition", "Circular alias: \(name)", at: position.offset)
      }
      defer { openAliases.remove(name) }
      return try check(alias)
    }
    let found: FakeSoQLTyped
    if let field = FakeSODASystemField(rawValue: name) {
      found = FakeSoQLTyped(node: .system(field), type: field.type)
    } else if let index = columns.firstIndex(where: { $0.name.lowercased() == name }) {
      let type = FakeSoQLType(columns[index].type)
      found = FakeSoQLTyped(node: .cell(index, type), type: type)
    } else {
      throw .noColumn(name, at: position.offset)
    }
    if groups != nil && !isInAggregate {
      throw .soql(
        "column-not-in-group-bys", "Column \(name) is not in GROUP BY", at: position.offset)
    }
    return found
  }

  private mutating func aggregate(
    _ kind: FakeSoQLAggregate.Kind, _ arguments: [FakeSoQLExpression],
    _ expression: FakeSoQLExpression, _ position: FakeSoQLPosition
  ) throws(FakeSoQLError) -> FakeSoQLTyped {
    guard groups != nil, !isInAggregate else {
      throw .soql(
        "aggregate-in-ungrouped-context", "Aggregate function \(kind.rawValue) is not allowed here",
        at: position.offset)
    }
    guard arguments.count == 1 else {
      throw .noFunction(kind.rawValue, arguments.count, at: position.offset)
    }
    isInAggregate = true
    defer { isInAggregate = false }
    var (inner, isDistinct) = (arguments[0], false)
    if case .call("distinct", let distinct, _) = inner, distinct.count == 1 {
      (inner, isDistinct) = (distinct[0], true)
    }
    let typed: FakeSoQLTyped? = inner == .star && kind == .count ? nil : try check(inner)
    let isExtreme = kind == .min || kind == .max
    if kind != .count, let typed, isExtreme ? !typed.type.isOrdered : typed.type != .number {
      throw .mismatch(kind.rawValue, typed.type, at: position.offset)
    }
    let index = known[expression] ?? aggregates.count
    if index == aggregates.count {
      aggregates.append(
        FakeSoQLAggregate(kind: kind, argument: typed?.node, isDistinct: isDistinct))
      known[expression] = index
    }
    let type = isExtreme ? typed?.type : nil
    return FakeSoQLTyped(node: .aggregate(index), type: type ?? .number)
  }
}

extension FakeSoQLExpression {
  var hasAggregate: Bool {
    guard case .call(let name, let arguments, _) = self else { return false }
    return FakeSoQLAggregate.Kind(rawValue: name) != nil
      || arguments.contains(where: \.hasAggregate)
  }
}

extension FakeSoQLError {
  static func mismatch(_ name: String, _ type: FakeSoQLType, at offset: Int?) -> Self {
    soql("type-mismatch", "Type mismatch for \(name), is \(type.name)", at: offset)
  }

  static func noFunction(_ name: String, _ count: Int, at offset: Int?) -> Self {
    soql("no-such-function", "No such function: \(name)/\(count)", at: offset)
  }
}
