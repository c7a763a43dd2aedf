import FieldPortals

/// A parser of SoQL's expressions by Socrata's table of precedence, and the same tree made from the
/// values that were printed.
indirect enum SoQLTree: Hashable {
  case leaf(SoQLLexer.Token)
  case node(String, [SoQLTree])

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  init(parsing text: String) throws {
    var parser = Parser(tokens: try SoQLLexer.tokens(text)[...])
    self = try parser.expression()
    guard parser.tokens.isEmpty else { throw Fault(description: "left over: \(parser.tokens)") }
  }

  private struct Parser {
    var tokens: ArraySlice<SoQLLexer.Token>

    static let binary: [[String]] = [
      ["=", "<>", "<", "<=", ">", ">=", "==", "!="], ["+", "-", "||"], ["*", "/", "%"],
    ]

    mutating func take(_ word: String) -> Bool {
      switch tokens.first {
      case .word(let text) where text.uppercased() == word: break
      case .sign(word): break
      default: return false
      }
      tokens.removeFirst()
      return true
    }

    mutating func need(_ word: String) throws {
      guard take(word) else { throw Fault(description: "\(word) expected at \(tokens)") }
    }

    mutating func expression() throws -> SoQLTree {
      var tree = try conjunction()
      while take("OR") { tree = .node("OR", [tree, try conjunction()]) }
      return tree
    }

    mutating func conjunction() throws -> SoQLTree {
      var tree = try negation()
      while take("AND") { tree = .node("AND", [tree, try negation()]) }
      return tree
    }

    mutating func negation() throws -> SoQLTree {
      take("NOT") ? .node("NOT", [try negation()]) : try test()
    }

    mutating func test() throws -> SoQLTree {
      var tree = try operation(0)
      while true {
        if take("IS") {
          let isNegated = take("NOT")
          try need("NULL")
          tree = .node(isNegated ? "IS NOT NULL" : "IS NULL", [tree])
          continue
        }
        let start = tokens
        let prefix = take("NOT") ? "NOT " : ""
        if take("BETWEEN") {
          let lower = try test()
          try need("AND")
          tree = .node(prefix + "BETWEEN", [tree, lower, try test()])
        } else if take("LIKE") {
          tree = .node(prefix + "LIKE", [tree, try test()])
        } else if take("IN") {
          try need("(")
          tree = .node(prefix + "IN", [tree] + (try list()))
        } else {
          tokens = start
          return tree
        }
      }
    }

    mutating func operation(_ level: Int) throws -> SoQLTree {
      guard level < Self.binary.count else { return try power() }
      var tree = try operation(level + 1)
      while let sign = Self.binary[level].first(where: { take($0) }) {
        tree = .node(sign, [tree, try operation(level + 1)])
      }
      return tree
    }

    mutating func power() throws -> SoQLTree {
      let base = try sign()
      return take("^") ? .node("^", [base, try power()]) : base
    }

    mutating func sign() throws -> SoQLTree {
      take("-") ? .node("-", [try sign()]) : try atom()
    }

    mutating func atom() throws -> SoQLTree {
      if take("(") {
        let tree = try expression()
        try need(")")
        return tree
      }
      guard let token = tokens.popFirst() else { throw Fault(description: "the end") }
      switch token {
      case .word, .quotedName:
        guard take("(") else { return .leaf(token) }
        if take("*") {
          try need(")")
          return .node("call*", [.leaf(token)])
        }
        return .node("call", [.leaf(token)] + (try list()))
      case .systemName, .string, .number: return .leaf(token)
      case .sign, .comment: throw Fault(description: "unexpected \(token)")
      }
    }

    mutating func list() throws -> [SoQLTree] {
      if take(")") { return [] }
      var items = [try expression()]
      while take(",") { items.append(try expression()) }
      try need(")")
      return items
    }
  }
}

extension SoQLTree {
  init(_ condition: SoQL.Condition) {
    switch condition.node {
    case .constant(let isTrue):
      self = .node("=", [.leaf(.number("1")), .leaf(.number(isTrue ? "1" : "0"))])
    case .comparison(let comparison, let left, let right):
      self = .node(comparison.rawValue, [Self(left), Self(right)])
    case .between(let value, let lower, let upper, let isNegated):
      self = .node((isNegated ? "NOT " : "") + "BETWEEN", [Self(value), Self(lower), Self(upper)])
    case .membership(let value, let values, let isNegated):
      self = .node((isNegated ? "NOT " : "") + "IN", [Self(value)] + values.map(Self.init))
    case .null(let value, let isNegated):
      self = .node(isNegated ? "IS NOT NULL" : "IS NULL", [Self(value)])
    case .like(let value, let pattern, let isNegated):
      self = .node((isNegated ? "NOT " : "") + "LIKE", [Self(value), Self(pattern)])
    case .expression(let expression): self = Self(expression)
    case .not(let inner): self = .node("NOT", [Self(inner)])
    case .all(let parts): self = Self.joined("AND", parts)
    case .any(let parts): self = Self.joined("OR", parts)
    }
  }

  private static func joined(_ word: String, _ parts: [SoQL.Condition]) -> Self {
    parts.dropFirst().reduce(Self(parts[0])) { .node(word, [$0, Self($1)]) }
  }

  init(_ expression: SoQL.Expression) {
    switch expression.node {
    case .column(let column): self = Self.name(column)
    case .value(let value):
      switch value.content {
      case .text(let text), .fixedTimestamp(let text), .floatingTimestamp(let text),
        .geometry(let text):
        self = .leaf(.string(text))
      case .number(let number) where number.hasPrefix("-"):
        self = .node("-", [.leaf(.number(String(number.dropFirst())))])
      case .number(let number): self = .leaf(.number(number))
      case .boolean(let value): self = .leaf(.word("\(value)"))
      case .null: self = .leaf(.word("null"))
      }
    case .countRows: self = .node("call*", [.leaf(.word("count"))])
    case .call(let function, let arguments):
      self = .node("call", [Self.name(function)] + arguments.map(Self.init))
    case .operation(let operation, let left, let right):
      self = .node(operation.rawValue, [Self(left), Self(right)])
    case .negative(let inner): self = .node("-", [Self(inner)])
    case .condition(let condition): self = Self(condition)
    }
  }

  private static func name(_ column: SoQL.Column) -> Self {
    if column.name.hasPrefix(":") { return .leaf(.systemName(column.name)) }
    let isQuoted = column.description.hasPrefix("`")
    return .leaf(isQuoted ? .quotedName(column.name) : .word(column.name))
  }
}
