/// The names of columns, aliases, and functions, and how they are printed.
enum SoQLName {
  /// Returns whether a text is a name: letters, digits, `_`, `-`; no leading digit; after `:` or
  /// `:@`.
  static func isName(_ text: String) -> Bool {
    let bare = withoutPrefix(text.utf8)
    guard let first = bare.first, isLetter(first) || first == UInt8(ascii: "-") else {
      return false
    }
    return bare.allSatisfy(isInName)
  }

  /// Returns the name as printed in a query: in backticks if it has a hyphen or is a keyword.
  static func printed(_ name: String) -> String {
    let isPlain = !name.utf8.contains(UInt8(ascii: "-")) && !words.contains(name.lowercased())
    return isPlain ? name : "`\(name)`"
  }

  private static func withoutPrefix(_ text: String.UTF8View) -> Substring.UTF8View {
    guard text.first == UInt8(ascii: ":") else { return text[...] }
    let rest = text.dropFirst()
    return rest.first == UInt8(ascii: "@") ? rest.dropFirst() : rest
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte == UInt8(ascii: "-")
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The keywords of the lexer, and the words that its parser recognizes in some places.
  private static let words: Set<String> = [
    "select", "distinct", "except", "as", "where", "group", "having", "order", "limit", "offset",
    "search", "asc", "desc", "filter", "from", "full", "in", "inner", "join", "left", "right", "on",
    "outer", "lateral", "and", "or", "not", "is", "between", "like", "true", "false", "null",
    "union", "intersect", "minus", "over", "partition", "by", "nulls", "first", "last", "hint",
    "param",
  ]
}
