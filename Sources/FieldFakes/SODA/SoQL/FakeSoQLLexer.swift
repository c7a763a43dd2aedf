/// A token of SoQL with its position.
struct FakeSoQLToken: Hashable {
  enum Kind: Hashable {
    /// A name that may be a keyword, in lowercase.
    case word(String)
    /// A name that isn't a keyword: with a colon, an at sign, or in backticks.
    case name(String)
    case text(String)
    case number(String)
    /// An operator or a punctuation mark.
    case mark(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// A lexer of SoQL by the rules of Socrata's `SoQLLexer.flex`: `''` is the only escape in single
/// quotes, and there are comments. It refuses double quotes, which have the escapes of JSON.
struct FakeSoQLLexer {
  private let characters: [Unicode.Scalar]
  private var at = 0

  /// Returns the tokens of a text, the last of which is its end.
  static func tokens(_ text: String) throws(FakeSoQLError) -> [FakeSoQLToken] {
    var lexer = FakeSoQLLexer(characters: Array(text.unicodeScalars))
    var tokens: [FakeSoQLToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    at + ahead < characters.count ? characters[at + ahead] : nil
  }

  private mutating func next() throws(FakeSoQLError) -> FakeSoQLToken {
    try skipSpace()
    let start = at
    guard let first = peek() else { return FakeSoQLToken(kind: .end, offset: start) }
    let kind: FakeSoQLToken.Kind
    switch first {
    case "'": kind = .text(try quoted("unterminated-string", "Unterminated string") { _ in true })
    case "\"": throw .unsupported("double quotes", at: at)
    case "`":
      let name = try quoted("bad-parse", "A quoted name has no end") { character in
        Self.isLetter(character) || ":@-0123456789".unicodeScalars.contains(character)
      }
      kind = .name(name.lowercased())
    case "0"..."9": kind = .number(number())
    case ":" where peek(1) == ":": kind = .mark(mark(2))
    case ":" where peek(1) == "*": kind = .mark(mark(2))
    case ":" where peek(1) == "@" || Self.isLetter(peek(1)): kind = .name(name().lowercased())
    case "@" where Self.isLetter(peek(1)): kind = .name(name().lowercased())
    case _ where Self.isLetter(first): kind = .word(name().lowercased())
    default:
      let pair = String(String.UnicodeScalarView(characters[at..<min(at + 2, characters.count)]))
      if ["==", "!=", "<>", "<=", ">=", "||", "|>"].contains(pair) {
        kind = .mark(mark(2))
      } else if "=<>+-*/%^~(),.?[]".unicodeScalars.contains(first) {
        kind = .mark(mark(1))
      } else {
        throw .soql("unexpected-character", "Unexpected character: \(first)", at: at)
      }
    }
    return FakeSoQLToken(kind: kind, offset: start)
  }

  private mutating func skipSpace() throws(FakeSoQLError) {
    while let character = peek() {
      if character.properties.isWhitespace {
        at += 1
      } else if character == "-", peek(1) == "-" {
        while let character = peek(), character != "\n" { _ = character; at += 1 }
      } else if character == "/", peek(1) == "*" {
        let start = at
        at += 2
        while !(peek() == "*" && peek(1) == "/") {
          guard peek() != nil else { throw .soql("bad-parse", "A comment has no end", at: start) }
          at += 1
        }
        at += 2
      } else {
        return
      }
    }
  }

  private mutating func mark(_ length: Int) -> String {
    at += length
    return String(String.UnicodeScalarView(characters[(at - length)..<at]))
  }

  private mutating func name() -> String {
    let start = at
    while let character = peek(), character == ":" || character == "@", at - start < 2 {
      _ = character
      at += 1
    }
    while let character = peek(), Self.isLetter(character) || ("0"..."9").contains(character) {
      at += 1
    }
    return String(String.UnicodeScalarView(characters[start..<at]))
  }

  private mutating func number() -> String {
    let start = at
    func skipDigits(_ at: inout Int) {
      while at < characters.count, ("0"..."9").contains(characters[at]) { at += 1 }
    }
    skipDigits(&at)
    if peek() == ".", let digit = peek(1), ("0"..."9").contains(digit) {
      at += 1
      skipDigits(&at)
    }
    if peek() == "e" || peek() == "E" {
      var end = at + 1
      if end < characters.count, characters[end] == "-" || characters[end] == "+" { end += 1 }
      let digits = end
      skipDigits(&end)
      if end > digits { at = end }
    }
    return String(String.UnicodeScalarView(characters[start..<at]))
  }

  /// Reads up to the quote at the start, which is only escaped in single quotes.
  private mutating func quoted(
    _ problem: String, _ message: String, _ isValid: (Unicode.Scalar) -> Bool
  ) throws(FakeSoQLError) -> String {
    let (start, quote) = (at, peek())
    var text = String.UnicodeScalarView()
    at += 1
    while let character = peek() {
      at += 1
      if character == quote {
        guard quote == "'", peek() == quote else { return String(text) }
        at += 1
      }
      guard isValid(character) else { break }
      text.append(character)
    }
    throw .soql(problem, message, at: start)
  }

  private static func isLetter(_ character: Unicode.Scalar?) -> Bool {
    guard let character else { return false }
    return character == "_" || character.properties.isAlphabetic
  }
}
