/// A parser of SoQL, for whole queries or the text of one clause.
struct FakeSoQLParser {
  private let tokens: [FakeSoQLToken]
  private var at = 0
  private var depth = 0

  init(_ text: String) throws(FakeSoQLError) { tokens = try FakeSoQLLexer.tokens(text) }

  /// Parses `SELECT … WHERE … GROUP BY … ORDER BY … LIMIT … OFFSET …`; unlike on Socrata, the clauses
  /// may be in any order, but each may occur only once.
  static func query(_ text: String) throws(FakeSoQLError) -> FakeSoQLQuery {
    var parser = try FakeSoQLParser(text)
    var query = FakeSoQLQuery()
    var seen: Set<String> = []
    while true {
      let token = parser.token
      guard case .word(let word) = token.kind else { break }
      guard seen.insert(word).inserted else {
        throw .malformed("Could not parse SoQL query: \(word) is there twice", at: token.offset)
      }
      parser.at += 1
      switch word {
      case "select": query.selection = try parser.selection()
      case "where": query.condition = try parser.expression()
      case "group":
        try parser.expect(.word("by"))
        query.groups = try parser.list()
      case "order":
        try parser.expect(.word("by"))
        query.orders = try parser.orders()
      case "limit": query.limit = try parser.count()
      case "offset": query.offset = try parser.count()
      case "having", "search": throw .unsupported(word.uppercased(), at: token.offset)
      default: throw parser.unexpected(token)
      }
    }
    try parser.expect(.end)
    return query
  }

  // MARK: clauses

  mutating func selection() throws(FakeSoQLError) -> FakeSoQLQuery.Selection {
    if takeWord("distinct") { throw .unsupported("DISTINCT", at: token.offset) }
    var selection = FakeSoQLQuery.Selection(hasStar: false)
    repeat {
      let token = token
      if let star = takeMark(of: [":*", "*"]) {
        let isSystem = star == ":*"
        guard !selection.hasStar, selection.items.isEmpty, !isSystem || !selection.hasSystemStar
        else {
          throw .soql(
            isSystem ? "unexpected-system-star-select" : "unexpected-star-select",
            "Star selections must come at the start of the select-list", at: token.offset)
        }
        selection.hasSystemStar = selection.hasSystemStar || isSystem
        selection.hasStar = !isSystem
      } else {
        let expression = try expression()
        selection.items.append(
          FakeSoQLQuery.Item(expression: expression, name: takeWord("as") ? try name() : nil))
      }
    } while takeMark(",")
    return selection
  }

  mutating func orders() throws(FakeSoQLError) -> [FakeSoQLQuery.Order] {
    var orders: [FakeSoQLQuery.Order] = []
    repeat {
      var order = FakeSoQLQuery.Order(expression: try expression())
      order.isAscending = !takeWord("desc")
      if order.isAscending { _ = takeWord("asc") }
      if takeWord("null") || takeWord("nulls") {
        throw .unsupported("NULL FIRST and NULL LAST", at: token.offset)
      }
      orders.append(order)
    } while takeMark(",")
    return orders
  }

  mutating func list() throws(FakeSoQLError) -> [FakeSoQLExpression] {
    var list: [FakeSoQLExpression] = []
    repeat { list.append(try expression()) } while takeMark(",")
    return list
  }

  private mutating func count() throws(FakeSoQLError) -> Int {
    guard case .number(let text) = token.kind, let count = Int(text) else {
      throw unexpected(token)
    }
    at += 1
    return count
  }

  // MARK: expressions, the loosest binding first

  mutating func expression() throws(FakeSoQLError) -> FakeSoQLExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 200 else { throw .malformed("The query is nested too deeply", at: token.offset) }
    var left = try conjunction()
    while let position = take(.word("or")) {
      left = .call("or", [left, try conjunction()], position)
    }
    return left
  }

  private mutating func conjunction() throws(FakeSoQLError) -> FakeSoQLExpression {
    var left = try negation()
    while let position = take(.word("and")) {
      left = .call("and", [left, try negation()], position)
    }
    return left
  }

  private mutating func negation() throws(FakeSoQLError) -> FakeSoQLExpression {
    var positions: [FakeSoQLPosition] = []
    while let position = take(.word("not")) { positions.append(position) }
    return positions.reversed().reduce(try comparison()) { .call("not", [$0], $1) }
  }

  private mutating func comparison() throws(FakeSoQLError) -> FakeSoQLExpression {
    let left = try operand()
    let position = FakeSoQLPosition(offset: token.offset)
    if let sign = takeMark(of: ["=", "==", "!=", "<>", "<", "<=", ">", ">="]) {
      let name = sign == "==" ? "=" : sign == "<>" ? "!=" : sign
      return .call(name, [left, try operand()], position)
    }
    if takeWord("is") {
      let isNegated = takeWord("not")
      try expect(.word("null"))
      return .call(isNegated ? "is not null" : "is null", [left], position)
    }
    let start = at
    let prefix = takeWord("not") ? "not " : ""
    if takeWord("between") {
      let low = try operand()
      try expect(.word("and"))
      return .call(prefix + "between", [left, low, try operand()], position)
    }
    if takeWord("in") {
      try expect(.mark("("))
      let candidates = try list()
      try expect(.mark(")"))
      return .call(prefix + "in", [left] + candidates, position)
    }
    if takeWord("like") { return .call(prefix + "like", [left, try operand()], position) }
    at = start
    return left
  }

  private mutating func operand() throws(FakeSoQLError) -> FakeSoQLExpression {
    let operand = try atom()
    if case .mark(let mark) = token.kind, ["+", "-", "*", "/", "%", "^", "||", "::"].contains(mark)
    {
      throw .unsupported("`\(mark)'", at: token.offset)
    }
    return operand
  }

  private mutating func atom() throws(FakeSoQLError) -> FakeSoQLExpression {
    let token = token
    let position = FakeSoQLPosition(offset: token.offset)
    at += 1
    switch token.kind {
    case .text(let text): return .text(text, position)
    case .number(let text): return .number(text, position)
    case .name(let name): return .column(name, position)
    case .mark("-"):
      guard case .number(let text) = self.token.kind else {
        throw .unsupported("a minus sign before anything but a number", at: token.offset)
      }
      at += 1
      return .number("-" + text, position)
    case .mark("("):
      let value = try expression()
      try expect(.mark(")"))
      return value
    case .word("true"): return .boolean(true)
    case .word("false"): return .boolean(false)
    case .word("null"): return .null
    case .word(let word) where !Self.reserved.contains(word):
      guard takeMark("(") else { return .column(word, position) }
      if takeMark(")") { return .call(word, [], position) }
      if word == "count", self.token.kind == .word("distinct") {
        throw .unsupported("DISTINCT", at: self.token.offset)
      }
      let arguments = word == "count" && takeMark("*") ? [.star] : try list()
      try expect(.mark(")"))
      return .call(word, arguments, position)
    default:
      at -= 1
      throw unexpected(token)
    }
  }

  private static let reserved: Set<String> = [
    "select", "where", "group", "having", "order", "limit", "offset", "search", "and", "or", "not",
    "is", "in", "between", "like", "as", "by", "distinct", "asc", "desc",
  ]

  // MARK: tokens

  private var token: FakeSoQLToken { tokens[min(at, tokens.count - 1)] }

  /// Takes a token if it is the next one, and returns its position.
  private mutating func take(_ kind: FakeSoQLToken.Kind) -> FakeSoQLPosition? {
    let token = token
    guard token.kind == kind else { return nil }
    at += 1
    return FakeSoQLPosition(offset: token.offset)
  }

  private mutating func takeWord(_ word: String) -> Bool { take(.word(word)) != nil }

  private mutating func takeMark(_ mark: String) -> Bool { take(.mark(mark)) != nil }

  private mutating func takeMark(of marks: [String]) -> String? {
    guard case .mark(let mark) = token.kind, marks.contains(mark) else { return nil }
    at += 1
    return mark
  }

  private mutating func name() throws(FakeSoQLError) -> String {
    switch token.kind {
    case .word(let name), .name(let name):
      at += 1
      return name
    default: throw unexpected(token)
    }
  }

  mutating func expect(_ kind: FakeSoQLToken.Kind) throws(FakeSoQLError) {
    if take(kind) == nil { throw unexpected(token) }
  }

  private func unexpected(_ token: FakeSoQLToken) -> FakeSoQLError {
    let shown =
      switch token.kind {
      case .end: "the end"
      case .word(let text), .name(let text), .number(let text), .mark(let text): "`\(text)'"
      case .text(let text): "'\(text)'"
      }
    return .malformed("Could not parse SoQL query: unexpected \(shown)", at: token.offset)
  }
}
