/// Distinguishes SVG from HTML by the first element. A word anywhere in the text isn't enough,
/// because web pages contain drawings.
enum AssetMarkup {
  /// Returns the format of markup, or `nil` if it is neither SVG nor HTML.
  static func format(_ head: [UInt8]) -> AssetFormat? {
    var rest = head[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      guard rest.first == UInt8(ascii: "<") else { return nil }
      if starts(rest, "<!--") {
        guard let next = after("-->", in: rest.dropFirst(4)) else { return nil }
        rest = next
      } else if starts(rest, "<?") {
        guard let next = after("?>", in: rest) else { return nil }
        rest = next
      } else if starts(rest, "<!doctype") {
        if word(rest.dropFirst(9).drop { $0 == 0x20 }) == "html" { return .html }
        guard let next = afterDeclaration(rest) else { return nil }
        rest = next
      } else {
        return element(word(rest.dropFirst()))
      }
    }
  }

  private static func element(_ name: String) -> AssetFormat? {
    switch name {
    case "svg", "svg:svg": .svg
    case "html", "head", "body", "title", "meta", "script", "h1", "p", "div", "center": .html
    default: nil
    }
  }

  /// Returns the letters, digits, and colons at the start, in lowercase.
  private static func word(_ bytes: ArraySlice<UInt8>) -> String {
    let word = bytes.prefix(32).prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: ":") }
    return String(decoding: word, as: UTF8.self).lowercased()
  }

  private static func starts(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    String(decoding: bytes.prefix(text.utf8.count), as: UTF8.self).lowercased() == text
  }

  private static func after(_ text: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    bytes.firstRange(of: text.utf8).map { bytes[$0.upperBound...] }
  }

  /// Returns the rest after a document type, which may contain declarations in brackets.
  private static func afterDeclaration(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var depth = 0
    for place in bytes.indices {
      switch bytes[place] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return bytes[(place + 1)...]
      default: break
      }
    }
    return nil
  }
}
