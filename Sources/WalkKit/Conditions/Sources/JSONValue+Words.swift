internal import FieldCore

extension JSONValue {
  /// What a text or a number says, without the space around it; nil when that is nothing, `-` or `null`.
  var words: String? {
    switch self {
    case .string(let text), .number(let text):
      let words = text.tidy
      return words.isEmpty || words == "-" || words.lowercased() == "null" ? nil : words
    case .null, .bool, .array, .object: return nil
    }
  }
}
