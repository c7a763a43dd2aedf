/// A lexer of SoQL, written from Socrata's lexer and not from the printer: what it gives for a text is
/// what the server would see.
struct SoQLLexer {
  enum Token: Hashable {
    case word(String)  // keywords and names
    case quotedName(String)
    case systemName(String)
    case string(String)
    case number(String)
    case sign(String)
    case comment
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  private static let signs = [
    "|>", "||", "::", "<=", ">=", "<>", "!=", "==", ":*", "<", ">", "=", "!", "+", "-", "*", "/",
    "~",
    "^", "%", "(", ")", ",", ".", "[", "]",
  ].map { Array($0.unicodeScalars) }

  static func tokens(_ text: String) throws -> [Token] {
    var rest = Array(text.unicodeScalars)[...]
    var tokens: [Token] = []
    while let next = rest.first {
      if next == " " || next == "\t" || next == "\r" || next == "\n" {
        rest.removeFirst()
      } else if rest.starts(with: "--".unicodeScalars) {
        rest = rest.drop { $0 != "\n" && $0 != "\r" }
        tokens.append(.comment)
      } else if rest.starts(with: "/*".unicodeScalars) {
        rest = rest.dropFirst(2)
        while !rest.starts(with: "*/".unicodeScalars) {
          guard rest.popFirst() != nil else { throw Fault(description: "open comment") }
        }
        rest = rest.dropFirst(2)
        tokens.append(.comment)
      } else if next == "'" {
        tokens.append(.string(try singleQuoted(&rest)))
      } else if next == "\"" {
        throw Fault(description: "a double quote, which is never printed")
      } else if next == "`" {
        tokens.append(.quotedName(try backticked(&rest)))
      } else if isDigit(next) {
        tokens.append(.number(number(&rest)))
      } else if next == ":", let second = rest.dropFirst().first,
        second == "@" || isNamePart(second)
      {
        rest.removeFirst()
        var name = ":"
        if rest.first == "@" {
          rest.removeFirst()
          name += "@"
        }
        tokens.append(.systemName(name + take(&rest, while: isNamePart)))
      } else if isNamePart(next) {
        tokens.append(.word(take(&rest, while: isNamePart)))
      } else if let sign = signs.first(where: { rest.starts(with: $0) }) {
        rest = rest.dropFirst(sign.count)
        tokens.append(.sign(string(sign[...])))
      } else {
        throw Fault(description: "unexpected \(next.escaped(asASCII: true))")
      }
    }
    return tokens
  }

  private static func singleQuoted(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) throws -> String {
    rest.removeFirst()
    var content = String.UnicodeScalarView()
    while let next = rest.popFirst() {
      if next != "'" {
        content.append(next)
      } else if rest.first == "'" {
        rest.removeFirst()
        content.append("'")
      } else {
        return String(content)
      }
    }
    throw Fault(description: "open string")
  }

  private static func backticked(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
    rest.removeFirst()
    var name = ""
    if rest.first == ":" { name += take(&rest) { $0 == ":" || $0 == "@" } }
    if let first = rest.first, isDigit(first), name.isEmpty {
      throw Fault(description: "a digit first")
    }
    name += take(&rest) { $0 == "-" || isNamePart($0) }
    guard !name.isEmpty, rest.popFirst() == "`" else { throw Fault(description: "bad name") }
    return name
  }

  private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var number = take(&rest, while: isDigit)
    if rest.first == "." {
      rest.removeFirst()
      number += "." + take(&rest, while: isDigit)
    }
    var exponent = rest
    if let e = exponent.popFirst(), e == "e" || e == "E" {
      let sign = exponent.first == "+" || exponent.first == "-" ? take(&exponent, 1) : ""
      let digits = take(&exponent, while: isDigit)
      if !digits.isEmpty {
        number += "e" + sign + digits
        rest = exponent
      }
    }
    return number
  }

  private static func take(
    _ rest: inout ArraySlice<Unicode.Scalar>, while belongs: (Unicode.Scalar) -> Bool
  ) -> String {
    let taken = rest.prefix(while: belongs)
    rest = rest.dropFirst(taken.count)
    return string(taken)
  }

  private static func take(_ rest: inout ArraySlice<Unicode.Scalar>, _ count: Int) -> String {
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return string(taken)
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isXIDContinue || scalar == "_" || scalar == "$"
  }
}
