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
