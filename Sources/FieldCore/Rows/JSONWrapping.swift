/// What servers and programs put around JSON.
enum JSONWrapping {
  /// Returns the JSON after several byte-order marks, in the call of a function (JSONP), after the
  /// `)]}'` that keeps scripts from running it, or before the Ctrl-Z that ends a text of DOS; `nil`
  /// if it is bare.
  ///
  /// Blanks replace the beginning, so that the offsets in messages are those of the body.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    bytes.withByteSpan { span in
      var first = ForeignBody.firstInk(span, from: 0)
      var markCount = 0
      while ForeignBody.isMark(span, first) {
        first = ForeignBody.firstInk(span, from: first + 3)
        markCount += 1
      }
      if isJSON(span, first) {
        let end = RowScan.endOfText(span)
        let isBare = markCount == 0 || markCount == 1 && ForeignBody.isMark(span, 0)
        return isBare && end == span.count ? nil : blanks(first) + bytes[first..<end]
      }
      guard let inner = beginning(span, first), isJSON(span, inner) else { return nil }
      let ends = [UInt8(ascii: ")"), UInt8(ascii: ";"), 0x20, 0x09, 0x0A, 0x0D, 0x1A]
      let end = bytes.lastIndex { !ends.contains($0) } ?? inner
      return blanks(inner) + bytes[inner...end]
    }
  }

  private static func blanks(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: count) }

  private static func isJSON(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    at < bytes.count && (bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "["))
  }

  /// Returns the offset after the beginning of a wrapping, or `nil` if there is none.
  private static func beginning(_ bytes: Span<UInt8>, _ first: Int) -> Int? {
    func end(of mark: StaticString, _ start: Int) -> Int? {
      let count = mark.utf8CodeUnitCount
      return bytes.agreement(with: mark, at: start) == count ? start + count : nil
    }
    if let start = end(of: ")]}'", first) {
      return ForeignBody.firstInk(bytes, from: end(of: ",", start) ?? start)
    }
    let name = end(of: "/**/", first) ?? first
    var at = name
    while at < bytes.count, isNamePart(bytes[at]) { at += 1 }
    guard at > name, let inner = end(of: "(", at) else { return nil }
    return ForeignBody.firstInk(bytes, from: inner)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
