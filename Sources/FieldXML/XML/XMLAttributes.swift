/// The attributes of tags, as far as their number goes.
enum XMLAttributes {
  /// Whether a tag has more attributes than a limit.
  ///
  /// The parser compares each attribute of a tag with all others, and looks each prefix up among all that
  /// are declared: a tag of a megabyte would keep it busy for an hour before it tells anybody. So this is
  /// asked before, of the bytes. Where a document is not well-formed the count may be too high by what
  /// stands behind the fault.
  static func exceed(_ limit: Int, in text: [UInt8]) -> Bool {
    var at = 0
    while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      if let end = XMLProlog.otherMarkupEnd(text, start) {
        at = end
        continue
      }
      let tag = count(text, from: start + 1)
      if tag.count > limit { return true }
      at = tag.end
    }
    return false
  }

  /// The number of the marks between names and values, and the offset behind the tag.
  private static func count(_ text: [UInt8], from start: Int) -> (count: Int, end: Int) {
    var count = 0
    var at = start
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "<"): return (count, at)
      case UInt8(ascii: ">"): return (count, at + 1)
      case UInt8(ascii: "="): count += 1
      case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
        at = text[(at + 1)...].firstIndex { $0 == quote || $0 == UInt8(ascii: "<") } ?? text.count
        if at < text.count, text[at] != quote { continue }
      default: break
      }
      at += 1
    }
    return (count, text.count)
  }
}
