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
        try parser.expectWord("by")
        query.groups = try parser.list()
      case "having": query.having = try parser.expression()
      case "order":
        try parser.expectWord("by")
        query.orders = try parser.orders()
      case "search": query.search = try parser.searchText()
      case "limit": query.limit = try parser.count()
      case "offset": query.offset = try parser.count()
      default: throw parser.unexpected(token)
      }
    }
    try parser.expectEnd()
    return query
  }

  // MARK: clauses

  mutating func selection() throws(FakeSoQLError) -> (FakeSoQLQuery.Selection, isDistinct: Bool) {
    let isDistinct = takeWord("distinct")
    var selection = FakeSoQLQuery.Selection(hasStar: false)
    repeat {
      let token = token
      if takeMark(":*") {
        guard !selection.hasSystemStar, !selection.hasStar, selection.items.isEmpty else {
          throw .soql(
            "unexpected-system-star-select",
            "Star selections must come at the start of the select-list", at: token.offset)
        }
        selection.hasSystemStar = true
      } else if takeMark("*") {
        guard !selection.hasStar, selection.items.isEmpty else {
          throw .soql(
            "unexpected-star-select",
            "Star selections must come at the start of the select-list", at: token.offset)
        }
        selection.hasStar = true
        if case .mark("(") = self.token.kind { selection.exceptions = try exceptions() }
      } else {
        let expression = try expression()
        selection.items.append(
          FakeSoQLQuery.Item(expression: expression, name: takeWord("as") ? try name() : nil))
      }
    } while takeMark(",")
    return (selection, isDistinct)
  }

  private mutating func exceptions() throws(FakeSoQLError) -> [String] {
    try expectMark("(")
    try expectWord("except")
    var names: [String] = []
    repeat { names.append(try name()) } while takeMark(",")
    try expectMark(")")
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
        if !order.hasNullsLast { try expectWord("first") }
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
    while let position = takeOperator(word: "or") {
      left = .call("or", [left, try conjunction()], position)
    }
    return left
  }

  private mutating func conjunction() throws(FakeSoQLError) -> FakeSoQLExpression {
    var left = try negation()
    while let position = takeOperator(word: "and") {
      left = .call("and", [left, try negation()], position)
    }
    return left
  }

  private mutating func negation() throws(FakeSoQLError) -> FakeSoQLExpression {
    var positions: [FakeSoQLPosition] = []
    while let position = takeOperator(word: "not") { positions.append(position) }
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
        try expectWord("null")
        left = .call(isNegated ? "is not null" : "is null", [left], position)
        continue
      }
      let start = at
      let prefix = takeWord("not") ? "not " : ""
      if takeWord("between") {
        let low = try sum()
        try expectWord("and")
        left = .call(prefix + "between", [left, low, try sum()], position)
      } else if takeWord("in") {
        try expectMark("(")
        left = .call(prefix + "in", [left] + (try list()), position)
        try expectMark(")")
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
    while let position = takeOperator(mark: "^") {
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
      if let position = takeOperator(mark: "-") { signs.append(position); continue }
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
      try expectMark(")")
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
      try expectMark(")")
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

  private mutating func takeWord(_ word: String) -> Bool {
    guard token.kind == .word(word) else { return false }
    at += 1
    return true
  }

  private mutating func takeOperator(word: String) -> FakeSoQLPosition? {
    let position = FakeSoQLPosition(offset: token.offset)
    return takeWord(word) ? position : nil
  }

  private mutating func takeOperator(mark: String) -> FakeSoQLPosition? {
    let position = FakeSoQLPosition(offset: token.offset)
    return takeMark(mark) ? position : nil
  }

  private mutating func takeMark(_ mark: String) -> Bool { takeMark(of: [mark]) != nil }

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

  private mutating func expectWord(_ word: String) throws(FakeSoQLError) {
    guard takeWord(word) else { throw unexpected(token) }
  }

  private mutating func expectMark(_ mark: String) throws(FakeSoQLError) {
    guard takeMark(mark) else { throw unexpected(token) }
  }

  func expectEnd() throws(FakeSoQLError) {
    guard token.kind == .end else { throw unexpected(token) }
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
