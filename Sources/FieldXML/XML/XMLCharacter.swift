/// The characters that XML 1.0 (fifth edition) allows, in UTF-8.
enum XMLCharacter {
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns whether a character of three bytes is next whose last two may be any continuation, like
  /// nearly all characters of Chinese.
  @inline(__always)
  static func isIdeograph(_ text: Span<UInt8>, _ at: Int) -> Bool {
    text[at] &- 0xE1 < 12 && at + 2 < text.count && text[at + 1] & 0xC0 == 0x80
      && text[at + 2] & 0xC0 == 0x80
  }

  /// Returns the number of bytes of the non-ASCII character at an offset, or 0 if the bytes aren't
  /// UTF-8 or XML doesn't allow the character.
  static func length(_ text: [UInt8], _ at: Int) -> Int {
    func next(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      at + offset < text.count && range.contains(text[at + offset])
    }
    switch text[at] {
    case 0xC2...0xDF: return next(1) ? 2 : 0
    case 0xE0: return next(1, 0xA0...0xBF) && next(2) ? 3 : 0
    case 0xED: return next(1, 0x80...0x9F) && next(2) ? 3 : 0
    case 0xE1...0xEF:
      guard next(1), next(2) else { return 0 }
      // U+FFFE and U+FFFF are not characters.
      return text[at] == 0xEF && text[at + 1] == 0xBF && text[at + 2] >= 0xBE ? 0 : 3
    case 0xF0: return next(1, 0x90...0xBF) && next(2) && next(3) ? 4 : 0
    case 0xF1...0xF3: return next(1) && next(2) && next(3) ? 4 : 0
    case 0xF4: return next(1, 0x80...0x8F) && next(2) && next(3) ? 4 : 0
    default: return 0
    }
  }

  /// Returns whether the text ends in the middle of the character at an offset.
  static func isCut(_ text: [UInt8], _ at: Int) -> Bool {
    let length =
      switch text[at] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return at + length > text.count && text[(at + 1)...].allSatisfy { $0 & 0xC0 == 0x80 }
  }

  /// Returns whether all bytes are UTF-8 text that XML allows, except for ASCII control characters
  /// and a character that is cut off at the end.
  static func isUTF8(_ text: [UInt8]) -> Bool {
    var at = 0
    while true {
      at = text.withByteSpan { commonEnd($0, from: at) }
      guard at < text.count else { return true }
      let length = length(text, at)
      guard length > 0 else { return isCut(text, at) }
      at += length
    }
  }

  /// Returns the offset after the characters of ASCII and ideographs that are next.
  private static func commonEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < text.count {
      if text[at] < 0x80 {
        at += 1
      } else if isIdeograph(text, at) {
        at += 3
      } else {
        break
      }
    }
    return at
  }

  /// Returns whether at least half of what is beyond ASCII is UTF-8.
  static func isMostlyUTF8(_ text: [UInt8]) -> Bool {
    var (at, balance) = (0, 0)
    while at < text.count {
      let length = text[at] < 0x80 ? 1 : length(text, at)
      if text[at] >= 0x80 { balance += length > 0 ? 1 : -1 }
      at += max(length, 1)
    }
    return balance >= 0
  }

  /// Returns whether the text has a character of three bytes as in Chinese, beyond punctuation.
  static func hasIdeographs(_ text: [UInt8]) -> Bool {
    text.withByteSpan { text in
      for at in text.indices where text[at] >= 0xE3 && isIdeograph(text, at) { return true }
      return false
    }
  }

  /// Returns whether the text has bytes of Windows-1252: a single one beyond ASCII somewhere, and
  /// nowhere a character of UTF-8.
  static func isWestern(_ text: [UInt8]) -> Bool {
    func isWide(_ at: Int) -> Bool { text.indices.contains(at) && text[at] >= 0x80 }
    var hasLetter = false
    for at in text.indices where text[at] >= 0x80 {
      if length(text, at) > 0 { return false }
      // 0xFF stands for half of a pair in UTF-16.
      hasLetter = hasLetter || text[at] < 0xFF && !isWide(at - 1) && !isWide(at + 1)
    }
    return hasLetter
  }

  /// Returns whether a numeric reference may stand for a character.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Returns the offset after the name that begins at an offset, or the same offset if none does.
  static func nameEnd(_ text: [UInt8], from start: Int) -> Int {
    var at = start
    while at < text.count {
      if text[at] < 0x80 {
        guard isNamePart(text[at], isFirst: at == start) else { break }
        at += 1
      } else {
        let length = length(text, at)
        guard length > 0, isNamePart(scalar(text, at, length), isFirst: at == start) else { break }
        at += length
      }
    }
    return at
  }

  private static func scalar(_ text: [UInt8], _ at: Int, _ length: Int) -> UInt32 {
    var value = UInt32(text[at]) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for byte in text[(at + 1)..<(at + length)] { value = value << 6 | UInt32(byte & 0x3F) }
    return value
  }

  private static func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: ":"), UInt8(ascii: "_"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  private static func isNamePart(_ value: UInt32, isFirst: Bool) -> Bool {
    switch value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
    default: false
    }
  }
}
