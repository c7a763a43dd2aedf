internal import FieldCore

extension XMLScanner {
  /// The context of a text, which decides what its bytes mean.
  enum TextKind { case text, attribute, verbatim }

  private static let illegal =
    "there is a character that XML doesn't allow, or bytes that aren't UTF-8"

  /// Appends the text up to an offset to ``content``, with references resolved and without
  /// characters that XML doesn't allow.
  mutating func appendText(until end: Int, as kind: TextKind) throws {
    let start = at
    var run = at
    while true {
      at = text.withByteSpan { Self.plainEnd($0, from: at, to: end, as: kind) }
      guard at < end else { break }
      let byte = text[at]
      if byte >= 0x80 {
        let length = XMLCharacter.length(text, at)
        if length > 0, byte != 0xC2 || text[at + 1] >= 0xA0 {
          at += length
          continue
        }
      } else if byte >= 0x20 {
        let isReference = byte == UInt8(ascii: "&") && kind != .verbatim
        let isEnd = byte == UInt8(ascii: "]") && kind == .text && has("]]>")
        if isEnd {
          try fault("the text contains ]]>, which ends a CDATA section that hasn't begun", at: at)
        }
        if !isReference {
          at += 1
          continue
        }
      }
      content += text[run..<at]
      try appendUnusual(in: start..<end, as: kind)
      run = at
    }
    content += text[run..<at]
    guard content.count <= limits.textByteCount else {
      throw FieldError(
        .xmlLimit, "A text in the document exceeds the limit of \(limits.textByteCount) bytes.")
    }
  }

  /// Returns the offset of the first byte that may not stand for itself.
  private static func plainEnd(
    _ text: Span<UInt8>, from start: Int, to end: Int, as kind: TextKind
  ) -> Int {
    var at = start
    while at < end {
      switch text[at] {
      case UInt8(ascii: "&"), UInt8(ascii: "]"): return at
      case 0x20..<0x80: at += 1
      case 0x09 where kind != .attribute, 0x0A where kind != .attribute: at += 1
      default:
        guard XMLCharacter.isIdeograph(text, at) else { return at }
        at += 3
      }
    }
    return at
  }

  /// Appends characters that don't stand for themselves.
  private mutating func appendUnusual(in range: Range<Int>, as kind: TextKind) throws {
    let end = range.upperBound
    switch text[at] {
    case UInt8(ascii: "&"): try appendReference(before: end)
    case 0x0D where kind != .attribute:
      content.append(0x0A)
      at += has("\r\n") ? 2 : 1
    case 0x09, 0x0A, 0x0D:
      content.append(0x20)
      at += has("\r\n") ? 2 : 1
    case 0xC2 where at + 1 < end && (0x80..<0xA0).contains(text[at + 1]):
      // Nobody uses these control characters, so the bytes were Windows-1252.
      content +=
        UTF8.encode(TextEncoding.windowsScalar(UInt32(text[at + 1])))
        ?? UTF8.encodedReplacementCharacter
      at += 2
    case 0x80...:
      if XMLCharacter.isCut(text, at) { return try cut() }
      try fault(Self.illegal, at: at)
      if isWestern || isWestern(range) {
        content +=
          UTF8.encode(TextEncoding.windowsScalar(UInt32(text[at])))
          ?? UTF8.encodedReplacementCharacter
        at += 1
        return
      }
      content += [0xEF, 0xBF, 0xBD]
      repeat { at += 1 } while at < end && text[at] & 0xC0 == 0x80
    default:
      try fault(Self.illegal, at: at)
      at += 1
    }
  }

  /// Returns whether the bytes of one text are Windows-1252, although other texts are UTF-8, as in
  /// feeds that are put together from several sources.
  private mutating func isWestern(_ range: Range<Int>) -> Bool {
    guard isRepairing, !hasIdeographs else { return false }
    if westernText.end != range.upperBound {
      westernText = (range.upperBound, XMLCharacter.isWestern(Array(text[range])))
    }
    return westernText.isWestern
  }

  /// Notes characters that XML doesn't allow, in places where the text itself doesn't matter.
  mutating func checkCharacters(_ range: Range<Int>) throws {
    var at = range.lowerBound
    while at < range.upperBound {
      let byte = text[at]
      let length =
        byte >= 0x80
        ? XMLCharacter.length(text, at) : byte >= 0x20 || XMLCharacter.isBlank(byte) ? 1 : 0
      if length == 0 { try fault(Self.illegal, at: at) }
      at += max(length, 1)
    }
  }

  // MARK: References

  private mutating func appendReference(before end: Int) throws {
    let start = at
    if has("&#") {
      if let (scalar, next) = numericReference(before: end) {
        content += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        at = next
        return
      }
      try cutReference(until: end)
      try fault("a character reference has invalid digits", at: start)
      let found = HTMLEntity.reference(text, start + 1, isAttribute: false)
      for scalar in found?.scalars ?? ["&"] where XMLCharacter.isAllowed(scalar) {
        content += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
      at = min(found?.end ?? start + 1, end)
      return
    }
    let nameEnd = XMLCharacter.nameEnd(text, from: start + 1)
    guard nameEnd < end, nameEnd > start + 1, text[nameEnd] == UInt8(ascii: ";") else {
      try cutReference(until: end)
      try fault("an ampersand isn't written as &amp;, or a semicolon is missing", at: start)
      content.append(UInt8(ascii: "&"))
      at += 1
      return
    }
    let name = String(decoding: text[start + 1..<nameEnd], as: UTF8.self).streamSafe
    if let character = Self.character(named: name) {
      content.append(character)
      at = nameEnd + 1
      return
    }
    let scalars = HTMLEntity.scalars(named: name)
    if !hasHTMLNames || scalars == nil {
      try fault("an entity is used that isn't one of XML's five", at: start)
    }
    if let scalars {
      for scalar in scalars { content += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter }
    } else {
      content += text[start...nameEnd]
    }
    at = nameEnd + 1
  }

  /// Returns the character that one of XML's five entities stands for.
  private static func character(named name: String) -> UInt8? {
    switch name {
    case "lt": UInt8(ascii: "<")
    case "gt": UInt8(ascii: ">")
    case "amp": UInt8(ascii: "&")
    case "quot": UInt8(ascii: "\"")
    case "apos": UInt8(ascii: "'")
    default: nil
    }
  }

  /// Notes a reference that is cut off by the end of the document.
  private mutating func cutReference(until end: Int) throws {
    guard end == text.count, text.count - at <= 12,
      !text[at...].contains(where: XMLCharacter.isBlank)
    else { return }
    try cut()
  }

  /// Returns the character of a reference such as `&#x4E2D;`, and the offset after it.
  private func numericReference(before end: Int) -> (Unicode.Scalar, Int)? {
    let isHex = has("&#x")
    let start = at + (isHex ? 3 : 2)
    var value: UInt32 = 0
    var next = start
    while next < end, let digit = HTMLEntity.digit(text[next], isHex: isHex) {
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
      next += 1
    }
    guard next < end, text[next] == UInt8(ascii: ";"),
      let scalar = Unicode.Scalar(value), XMLCharacter.isAllowed(scalar)
    else { return nil }
    // Nobody uses the control characters 0x80 through 0x9F, so the numbers are those of
    // Windows-1252.
    return (TextEncoding.windowsScalar(value), next + 1)
  }
}
