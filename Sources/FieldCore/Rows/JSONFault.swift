/// A violation of the rules of JSON (RFC 8259), with its location.
struct JSONFault: Error {
  enum Reason {
    case end, value, key, colon, commaOrBrace, commaOrBracket, number, leadingZero, literal
    case controlCharacter, escape, depth, trailing, notUnicode
  }

  /// The offset of the invalid byte, or the length of the text if it ends too early.
  var offset: Int
  var reason: Reason

  /// A Boolean value that indicates whether further bytes could have completed the text.
  var isCut: Bool { reason == .end }

  /// A description of what was expected, for a message.
  var text: String {
    switch reason {
    case .end: "it is cut off"
    case .value: "a value was expected"
    case .key: "a key in quotes was expected"
    case .colon: "a colon was expected"
    case .commaOrBrace: "a comma or a closing brace was expected"
    case .commaOrBracket: "a comma or a closing bracket was expected"
    case .number: "a digit was expected"
    case .leadingZero: "a number has a leading zero"
    case .literal: "true, false, or null was expected"
    case .controlCharacter: "a string contains an unescaped control character"
    case .escape: "a string contains an unknown escape"
    case .depth: "arrays and objects are nested deeper than \(JSONScanner.deepest) levels"
    case .trailing: "something follows the end of the text"
    case .notUnicode: "a string isn't valid UTF-8"
    }
  }
}
