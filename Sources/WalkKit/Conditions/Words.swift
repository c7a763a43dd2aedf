internal import FieldCore

extension JSONValue {
  /// The content of a text or a number, without the space around it; `nil` if it is empty, or a
  /// placeholder such as `-` or `null`.
  var words: String? {
    switch self {
    case .string(let text), .number(let text):
      let words = text.tidy
      return RowText.isVoid(words) || words.lowercased() == "null" ? nil : words
    case .null, .bool, .array, .object: return nil
    }
  }
}

extension StringProtocol {
  /// The text without the space around it, including ideographic and no-break spaces and a
  /// byte-order mark. Words are looked up in tables, so long runs of combining marks are divided.
  var tidy: String {
    var scalars = Substring(self).unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(Substring(scalars)).streamSafe
  }
}
