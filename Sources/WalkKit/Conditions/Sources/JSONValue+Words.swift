internal import FieldCore

extension JSONValue {
  /// What a text or a number says, without the space around it; nil when that is nothing, or a word for
  /// nothing such as `-` or `null`.
  var words: String? {
    switch self {
    case .string(let text), .number(let text):
      let words = text.tidy
      return RowText.isVoid(words) || words.lowercased() == "null" ? nil : words
    case .null, .bool, .array, .object: return nil
    }
  }
}
