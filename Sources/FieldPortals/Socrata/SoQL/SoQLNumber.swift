internal import FieldCore

/// Numbers as SoQL reads them.
enum SoQLNumber {
  /// Whether the text is `-`, digits, a point and digits, `e` and a whole number, all but the first
  /// digits optional: what the lexer takes as one number, after a minus.
  static func isNumber(_ text: String.UTF8View) -> Bool {
    var rest = text[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard takeDigits(&rest) else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takeDigits(&rest) else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takeDigits(&rest) else { return false }
    }
    return rest.isEmpty
  }

  /// The longitude and the latitude, which is the order of Well-Known Text.
  static func pair(_ place: Coordinate) -> String {
    let place = place.normalized
    return "\(text(place.longitude)) \(text(place.latitude))"
  }

  /// A finite number as it is printed.
  static func text(_ number: Double) -> String { SoQL.Value(finite: number).description }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> Bool {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    text.removeFirst(digits.count)
    return !digits.isEmpty
  }
}
