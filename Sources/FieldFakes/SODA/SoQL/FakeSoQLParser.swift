/// A parser of SoQL, for whole queries or the text of one clause.
struct FakeSoQLParser {
  private let tokens: [FakeSoQLToken]
  private var at = 0
  private var depth = 0

  init(_ text: String) throws(FakeSoQLError) { tokens = try FakeSoQLLexer.tokens(text) }

  /// Parses `SELECT … WHERE … GROUP BY … HAVING … ORDER BY … SEARCH … LIMIT … OFFSET …`; unlike on
  /// Socrata, the clauses may be in any order, but each may occur only once.
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
      case "select": (query.selection, query.isDistinct) = try parser.selection()
      case "where": query.condition = try parser.expression()
      case "group":
        try parser.expect(.word("by"))
        query.groups = try parser.list()
      case "having": query.having = try parser.expression()
      case "order":
        try parser.expect(.word("by"))
        query.orders = try parser.orders()
      case "search": query.search = try parser.searchText()
      case "limit": query.limit = try parser.count()
      case "offset": query.offset = try parser.count()
      default: throw parser.unexpected(token)
      }
    }
    try parser.expect(.end)
    return query
  }

  // MARK: clauses

  mutating func selection() throws(FakeSoQLError) -> (FakeSoQLQuery.Selection, isDistinct: Bool) {
    let isDistinct = takeWord("distinct")
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
        if !isSystem, self.token.kind == .mark("(") { selection.exceptions = try exceptions() }
      } else {
        let expression = try expression()
        selection.items.append(
          FakeSoQLQuery.Item(expression: expression, name: takeWord("as") ? try name() : nil))
      }
    } while takeMark(",")
    return (selection, isDistinct)
  }

  private mutating func exceptions() throws(FakeSoQLError) -> [String] {
    try expect(.mark("("))
    try expect(.word("except"))
    var names: [String] = []
    repeat { names.append(try name()) } while takeMark(",")
    try expect(.mark(")"))
    return names
  }

  mutating func orders() throws(FakeSoQLError) -> [FakeSoQLQuery.Order] {
    var orders: [FakeSoQLQuery.Order] = []
    repeat {
      var order = FakeSoQLQuery.Order(expression: try expression())
      if takeWord("desc") {
        order.isAscending = false
        order.hasNullsLast = false
      } else {
        _ = takeWord("asc")
      }
      if takeWord("null") || takeWord("nulls") {
        order.hasNullsLast = takeWord("last")
        if !order.hasNullsLast { try expect(.word("first")) }
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

  private mutating func searchText() throws(FakeSoQLError) -> String {
    guard case .text(let text) = token.kind else { throw unexpected(token) }
    at += 1
    return text
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
    var left = try sum()
    while true {
      let position = FakeSoQLPosition(offset: token.offset)
      if let sign = takeMark(of: ["=", "==", "!=", "<>", "<", "<=", ">", ">="]) {
        let name = sign == "==" ? "=" : sign == "<>" ? "!=" : sign
        left = .call(name, [left, try sum()], position)
        continue
      }
      if takeWord("is") {
        let isNegated = takeWord("not")
        try expect(.word("null"))
        left = .call(isNegated ? "is not null" : "is null", [left], position)
        continue
      }
      let start = at
      let prefix = takeWord("not") ? "not " : ""
      if takeWord("between") {
        let low = try sum()
        try expect(.word("and"))
        left = .call(prefix + "between", [left, low, try sum()], position)
      } else if takeWord("in") {
        try expect(.mark("("))
        left = .call(prefix + "in", [left] + (try list()), position)
        try expect(.mark(")"))
      } else if takeWord("like") {
        left = .call(prefix + "like", [left, try sum()], position)
      } else {
        at = start
        return left
      }
    }
  }

  private mutating func sum() throws(FakeSoQLError) -> FakeSoQLExpression {
    try chain(["+", "-", "||"]) { parser throws(FakeSoQLError) in
      try parser.chain(["*", "/", "%"]) { parser throws(FakeSoQLError) in try parser.power() }
    }
  }

  /// Reads a power; `a ^ b ^ c` is `a ^ (b ^ c)`.
  private mutating func power() throws(FakeSoQLError) -> FakeSoQLExpression {
    var bases = [try unary()]
    var positions: [FakeSoQLPosition] = []
    while let position = take(.mark("^")) {
      positions.append(position)
      bases.append(try unary())
    }
    var power = bases.removeLast()
    while let base = bases.popLast() { power = .call("^", [base, power], positions.removeLast()) }
    return power
  }

  private mutating func chain(
    _ signs: [String],
    _ operand: (inout FakeSoQLParser) throws(FakeSoQLError) -> FakeSoQLExpression
  ) throws(FakeSoQLError) -> FakeSoQLExpression {
    var left = try operand(&self)
    while true {
      let position = FakeSoQLPosition(offset: token.offset)
      guard let sign = takeMark(of: signs) else { return left }
      left = .call(sign, [left, try operand(&self)], position)
    }
  }

  private mutating func unary() throws(FakeSoQLError) -> FakeSoQLExpression {
    var signs: [FakeSoQLPosition] = []
    while true {
      if let position = take(.mark("-")) { signs.append(position); continue }
      if !takeMark("+") { break }
    }
    let position = FakeSoQLPosition(offset: token.offset)
    var value = try atom()
    while takeMark("::") { value = .call("cast " + (try name()), [value], position) }
    return signs.reversed().reduce(value) { .call("negate", [$0], $1) }
  }

  private mutating func atom() throws(FakeSoQLError) -> FakeSoQLExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 200 else { throw .malformed("The query is nested too deeply", at: token.offset) }
    let token = token
    let position = FakeSoQLPosition(offset: token.offset)
    at += 1
    switch token.kind {
    case .text(let text): return .text(text, position)
    case .number(let text): return .number(text, position)
    case .name(let name): return .column(name, position)
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
      var arguments: [FakeSoQLExpression] = []
      if word == "count", takeMark("*") {
        arguments = [.star]
      } else {
        let isDistinct = word == "count" && takeWord("distinct")
        arguments = try list()
        if isDistinct { arguments = [.call("distinct", arguments, position)] }
      }
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
