/// A scanner of the texts between values, which finds whether a value would stand in quotes or in a comment.
struct SoQLScanner {
  private enum State {
    case code, text, string, name, lineComment, blockComment
  }

  private var state = State.code
  private var depth = 0
  private var isUnbalanced = false
  private var last: Unicode.Scalar?

  /// A Boolean value that indicates whether a value can follow.
  var isInCode: Bool { state == .code }

  /// The reason why nothing may follow the text; `nil` if it is complete.
  var problem: String? {
    switch state {
    case .code: break
    case .text, .string, .name: return "The query has a quote without an end."
    case .lineComment, .blockComment:
      return "The query ends inside of a comment, which would hide what follows it."
    }
    return isUnbalanced || depth > 0 ? "The query has a parenthesis without its counterpart." : nil
  }

  /// Returns whether a scalar beside a value could be read as a part of it.
  static func joins(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !"(),=<>+-*/%^|".unicodeScalars.contains(scalar)
  }

  mutating func scan(_ text: String) {
    for scalar in text.unicodeScalars { scan(scalar) }
  }

  /// Ends a token, because a value follows.
  mutating func endToken() { last = nil }

  private mutating func scan(_ scalar: Unicode.Scalar) {
    // A scalar that ends something isn't the first one of something else.
    var next: Unicode.Scalar? = scalar
    switch (state, scalar) {
    case (.code, "'"): state = .text
    case (.code, "\""): state = .string
    case (.code, "`"): state = .name
    case (.code, "-") where last == "-": state = .lineComment
    case (.code, "*") where last == "/": (state, next) = (.blockComment, nil)
    case (.code, "("): depth += 1
    case (.code, ")"):
      depth -= 1
      isUnbalanced = isUnbalanced || depth < 0
    case (.text, "'"), (.name, "`"), (.lineComment, "\n"): state = .code
    case (.string, _) where last == "\\": next = nil
    case (.string, "\""): state = .code
    case (.blockComment, "/") where last == "*": (state, next) = (.code, nil)
    default: break
    }
    last = next
  }
}
