/// Splits the texts in which the zoo lists things.
enum ZooWords {
  /// Returns the parts between enumeration commas, commas, semicolons, and line breaks of either
  /// width, each once, without surrounding whitespace.
  static func list(_ text: String?, alsoAt others: Set<Character> = []) -> [String] {
    words(of: text) { "、，,;；".contains($0) || others.contains($0) }
  }

  /// Returns the places in a location text. They are separated by semicolons of either width or
  /// enumeration commas, but not by slashes and brackets, which occur in the names of places.
  static func places(_ text: String?) -> [String] { words(of: text) { ";；、".contains($0) } }

  private static func words(
    of text: String?, separatedBy isSeparator: (Character) -> Bool
  ) -> [String] {
    (text ?? "").split { $0.isNewline || isSeparator($0) }.map(trimmed).filter { !$0.isEmpty }
      .uniqued()
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    // Going backward through the characters of a run of flags takes quadratic time.
    let isBlank = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    let head = text.unicodeScalars.drop(while: isBlank)
    return String(String.UnicodeScalarView(head.reversed().drop(while: isBlank).reversed()))
  }

  /// Returns the value of the first name that a folded text contains, or `nil` if there is none.
  static func first<Value>(of names: KeyValuePairs<String, Value>, in text: String) -> Value? {
    names.first { contains(text, $0.key) }?.value
  }

  /// Returns whether a folded text contains a word, byte by byte; searching a `String` takes as
  /// long as a whole row.
  static func contains(_ text: String, _ word: String) -> Bool {
    let (text, word) = (Array(text.utf8), Array(word.utf8))
    guard let first = word.first, text.count >= word.count else { return word.isEmpty }
    return (0...(text.count - word.count)).contains {
      text[$0] == first && text[$0..<$0 + word.count].elementsEqual(word)
    }
  }
}
