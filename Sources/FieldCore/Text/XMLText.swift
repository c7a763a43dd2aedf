/// A writer of text in XML 1.0, and a reader of the text of one element.
package enum XMLText {
  /// Returns a text with special characters escaped, for elements and for attributes in double
  /// quotes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // Only `]]>` must be escaped, but readers of the file needn't know why.
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the content of an element with its references replaced, or that of the CDATA section
  /// that it begins with. A reference that isn't known stays as it is.
  package static func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
    let opening = Array("<![CDATA[".utf8)
    let inner = content.drop { $0 <= 0x20 }
    if inner.starts(with: opening) {
      let section = inner.dropFirst(opening.count)
      return Array(
        section[..<(section.firstRange(of: Array("]]>".utf8))?.lowerBound ?? section.endIndex)])
    }
    var text: [UInt8] = []
    text.reserveCapacity(content.count)
    var at = content.startIndex
    while at < content.endIndex {
      if content[at] == UInt8(ascii: "&"),
        let end = content[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = referenced(content[(at + 1)..<end])
      {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        at = end + 1
      } else {
        text.append(content[at])
        at += 1
      }
    }
    return text
  }

  private static func referenced(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "quot": return "\""
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "apos": return "'"
    case let number where number.hasPrefix("#"):
      let isHex = number.dropFirst().first == "x" || number.dropFirst().first == "X"
      let digits = number.dropFirst(isHex ? 2 : 1)
      return UInt32(digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
