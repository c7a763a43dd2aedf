/// References to the entities of HTML, for documents whose document type is elsewhere.
///
/// Netscape's of RSS 0.91 declares them all, and one that refers to it may write `&nbsp;` and is well-formed.
/// Nothing is fetched for that: what the names mean is known.
enum XMLReferences {
  /// Puts the characters in place of such references, save in comments, CDATA and instructions.
  static func replace(_ text: inout [UInt8]) {
    guard text.contains(UInt8(ascii: "&")) else { return }
    var replaced: [UInt8] = []
    replaced.reserveCapacity(text.count)
    var (at, start) = (0, 0)
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "<"):
        at = XMLProlog.otherMarkupEnd(text, at) ?? at + 1
      case UInt8(ascii: "&"):
        let nameEnd = text[(at + 1)...].prefix(33).firstIndex(of: UInt8(ascii: ";"))
        guard let nameEnd, let characters = Self.characters(of: text[(at + 1)..<nameEnd]) else {
          at += 1
          continue
        }
        replaced += text[start..<at]
        replaced += characters
        at = nameEnd + 1
        start = at
      default:
        at += 1
      }
    }
    guard start > 0 else { return }
    replaced += text[start...]
    text = replaced
  }

  /// The characters that a name stands for; nil for XML's own five and for what is no name of HTML's.
  private static func characters(of name: ArraySlice<UInt8>) -> [UInt8]? {
    let name = String(decoding: name, as: UTF8.self)
    guard !["lt", "gt", "amp", "quot", "apos"].contains(name),
      let scalars = HTMLEntity.scalars(named: name)
    else { return nil }
    // What may mean something in XML stays a reference.
    return scalars.flatMap { $0.isASCII ? Array("&#\($0.value);".utf8) : Array(String($0).utf8) }
  }
}
