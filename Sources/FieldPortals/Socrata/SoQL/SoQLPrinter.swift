/// Prints SoQL trees.
///
/// Parentheses are printed where the parser's precedence would otherwise produce another tree. For
/// readability, they are also printed around negated conditions and negative numbers within
/// operations.
struct SoQLPrinter {
  private(set) var text = ""

  /// Returns the text that `body` prints.
  static func text(_ body: (inout Self) -> Void) -> String {
    var printer = Self()
    body(&printer)
    return printer.text
  }

  /// The levels of the parser, loosest first. A tree is in parentheses if its place requires a
  /// tighter level than its own.
  private enum Level: Int { case any, all, not, test, comparison, sum, product, power, sign, atom }

  // MARK: Literals

  mutating func print(_ value: SoQL.Value) {
    switch value.content {
    case .text(let content), .fixedTimestamp(let content), .floatingTimestamp(let content),
      .geometry(let content):
      printQuoted(content)
    case .number(let number): text += number
    case .boolean(let value): text += value ? "true" : "false"
    case .null: text += "null"
    }
  }

  /// In single quotes, only the quote itself is special, and two of them stand for one.
  ///
  /// The method iterates over scalars: a quote followed by a combining mark is a single Swift
  /// character, but still a quote to the server.
  private mutating func printQuoted(_ content: String) {
    text += "'"
    for scalar in content.unicodeScalars {
      if scalar == "'" { text += "'" }
      text.unicodeScalars.append(scalar)
    }
    text += "'"
  }

  // MARK: Expressions

  mutating func print(_ expression: SoQL.Expression) { print(expression, at: .any) }

  private mutating func print(_ expression: SoQL.Expression, at level: Level) {
    switch expression.node {
    case .column(let column): text += column.description
    case .value(let value):
      // `a - -1` would be correct, too, but is one blank away from a comment.
      let isNegative = value.isNegativeNumber
      parenthesized(isNegative && level.rawValue > Level.sum.rawValue) { $0.print(value) }
    case .countRows: text += "count(*)"
    case .call(let function, let arguments):
      text += function.description
      printList(arguments)
    case .operation(let operation, let left, let right):
      let own = Self.level(of: operation)
      let tighter = Level(rawValue: own.rawValue + 1) ?? .atom
      // Powers are right-associative; all other operators are left-associative.
      let isRight = operation == .power
      parenthesized(level.rawValue > own.rawValue) {
        $0.print(left, at: isRight ? tighter : own)
        $0.text += " \(operation.rawValue) "
        $0.print(right, at: isRight ? own : tighter)
      }
    case .negative(let inner):
      parenthesized(level.rawValue > Level.sum.rawValue) {
        $0.text += "-"
        $0.print(inner, at: .atom)
      }
    case .condition(let condition): print(condition, at: level)
    }
  }

  private mutating func printList(_ expressions: [SoQL.Expression]) {
    text += "("
    for (position, expression) in expressions.enumerated() {
      if position > 0 { text += ", " }
      print(expression)
    }
    text += ")"
  }

  private static func level(of operation: SoQL.Expression.Operator) -> Level {
    switch operation {
    case .add, .subtract, .concatenate: .sum
    case .multiply, .divide, .remainder: .product
    case .power: .power
    }
  }

  // MARK: Conditions

  mutating func print(_ condition: SoQL.Condition) { print(condition, at: .any) }

  private mutating func print(_ condition: SoQL.Condition, at level: Level) {
    switch condition.node {
    case .constant(let isTrue):
      // Print a comparison, because not every version accepts a bare Boolean as a condition.
      parenthesized(level.rawValue > Level.comparison.rawValue) {
        $0.text += isTrue ? "1 = 1" : "1 = 0"
      }
    case .comparison(let comparison, let left, let right):
      print(left, " \(comparison.rawValue) ", own: .comparison, at: level) {
        $0.print(right, at: .sum)
      }
    case .between(let scrutinee, let lower, let upper, let isNegated):
      print(scrutinee, isNegated ? " NOT BETWEEN " : " BETWEEN ", at: level) {
        $0.print(lower, at: .sum)
        $0.text += " AND "
        $0.print(upper, at: .sum)
      }
    case .membership(let scrutinee, let values, let isNegated):
      print(scrutinee, isNegated ? " NOT IN " : " IN ", at: level) { $0.printList(values) }
    case .null(let scrutinee, let isNegated):
      print(scrutinee, isNegated ? " IS NOT NULL" : " IS NULL", at: level)
    case .like(let scrutinee, let pattern, let isNegated):
      print(scrutinee, isNegated ? " NOT LIKE " : " LIKE ", at: level) {
        $0.print(pattern, at: .sum)
      }
    case .expression(let expression): print(expression, at: level)
    case .not(let inner):
      parenthesized(level.rawValue > Level.not.rawValue) {
        $0.text += "NOT ("
        $0.print(inner)
        $0.text += ")"
      }
    case .all(let conditions): print(conditions, " AND ", own: .all, at: level)
    case .any(let conditions): print(conditions, " OR ", own: .any, at: level)
    }
  }

  private mutating func print(
    _ scrutinee: SoQL.Expression, _ words: String, own: Level = .test, at level: Level,
    _ rest: (inout Self) -> Void = { _ in }
  ) {
    parenthesized(level.rawValue > own.rawValue) {
      $0.print(scrutinee, at: .sum)
      $0.text += words
      rest(&$0)
    }
  }

  private mutating func print(
    _ conditions: [SoQL.Condition], _ word: String, own: Level, at level: Level
  ) {
    let tighter = Level(rawValue: own.rawValue + 1) ?? .atom
    parenthesized(level.rawValue > own.rawValue) {
      for (position, condition) in conditions.enumerated() {
        if position > 0 { $0.text += word }
        $0.print(condition, at: tighter)
      }
    }
  }

  // MARK: Clauses

  mutating func print(_ selection: SoQL.Selection) {
    switch selection.item {
    case .systemColumns: text += ":*"
    case .columns: text += "*"
    case .expression(let expression, let alias):
      print(expression)
      if let alias { text += " AS \(alias)" }
    }
  }

  mutating func print(_ ordering: SoQL.Ordering) {
    print(ordering.expression)
    if !ordering.isAscending { text += " DESC" }
    switch ordering.nulls {
    case .first: text += " NULL FIRST"
    case .last: text += " NULL LAST"
    case nil: break
    }
  }

  /// Returns the selections with `:*` and then `*` first, each once.
  static func starsFirst(_ selections: [SoQL.Selection]) -> [SoQL.Selection] {
    let stars = [SoQL.Selection.systemColumns, .allColumns].filter(selections.contains)
    return stars + selections.filter { !stars.contains($0) }
  }

  private mutating func parenthesized(_ isNeeded: Bool, _ body: (inout Self) -> Void) {
    if isNeeded { text += "(" }
    body(&self)
    if isNeeded { text += ")" }
  }
}

extension SoQL.Value {
  fileprivate var isNegativeNumber: Bool {
    if case .number(let text) = content { text.utf8.first == UInt8(ascii: "-") } else { false }
  }
}
