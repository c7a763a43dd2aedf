internal import FieldCore

/// The number format of SoQL.
enum SoQLNumber {
  /// Returns whether the text is `-`, digits, a point and digits, `e` and a whole number, all
  /// optional except the first digits. The lexer reads such a text, after a minus sign, as one
  /// number.
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

  /// Returns the longitude and the latitude, in the order of WKT.
  static func pair(_ place: Coordinate) -> String {
    let place = place.normalized
    return "\(SoQL.Value(finite: place.longitude)) \(SoQL.Value(finite: place.latitude))"
  }

  private static func takeDigits(_ text: inout Substring.UTF8View) -> Bool {
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    text.removeFirst(digits.count)
    return !digits.isEmpty
  }
}
