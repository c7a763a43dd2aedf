/// The end of a document that was cut: what is left there of a tag, a comment or a character.
enum XMLTail {
  /// The offset of what has begun and does not end; nil when the text ends between two things.
  ///
  /// A `<` never stands within a tag, not even in quotation marks, so one there begins the next: a mark
  /// that is missing further up does not swallow the rest.
  static func start(in text: [UInt8]) -> Int? {
    var at = 0
    var behindTags = 0
    while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      let end =
        if XMLProlog.hasPrefix("<!--", text, start) {
          XMLProlog.find("-->", text, from: start + 4)
        } else if XMLProlog.hasPrefix("<![CDATA[", text, start) {
          XMLProlog.find("]]>", text, from: start + 9)
        } else if XMLProlog.hasPrefix("<?", text, start) {
          XMLProlog.find("?>", text, from: start + 2)
        } else {
          tagEnd(text, from: start + 1)
        }
      guard let end else { return start }
      (at, behindTags) = (end, end)
    }
    return textEnd(text, from: behindTags)
  }

  /// The offset behind the `>` of a tag, or of the `<` that stands before it; nil when there is neither.
  private static func tagEnd(_ text: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    for at in start..<text.count {
      switch text[at] {
      case UInt8(ascii: "<"): return at
      case UInt8(ascii: ">") where quote == nil: return at + 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = text[at] } else if quote == text[at] { quote = nil }
      default: break
      }
    }
    return nil
  }

  /// The offset of half a reference (`&am`) or half a character behind the last tag.
  private static func textEnd(_ text: [UInt8], from start: Int) -> Int? {
    let tail = text[max(start, text.count - 12)...]
    if let mark = tail.lastIndex(of: UInt8(ascii: "&")), !tail[mark...].contains(UInt8(ascii: ";"))
    {
      return mark
    }
    guard let lead = tail.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return nil }
    let length =
      switch text[lead] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return lead + length > text.count ? lead : nil
  }
}
