extension JSONScanner {
  /// Moves past the next value, whose tokens may be wrong, but not its structure.
  ///
  /// This finds the end of a row that breaks the rules of JSON. Instead of a value, there may be a
  /// word such as `None`, `01`, or `+1`, or nothing; a string may contain any escapes and control
  /// characters; and a comma may precede a closing bracket. Brackets, quotes, colons, and the other
  /// commas have to be in their places, so that the rest of a body that was cut and joined again
  /// isn't mistaken for part of the row.
  mutating func skipLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    var nesting = JSONNesting()
    let outside = depth
    defer { depth = outside }
    values: while true {
      switch peek(bytes) {
      case UInt8(ascii: "\""):
        try skipStringLoosely(bytes)
      case UInt8(ascii: "{"):
        if try enter(bytes, until: UInt8(ascii: "}")) {
          nesting.push(isObject: true)
          try skipKeyLoosely(bytes)
          continue values
        }
      case UInt8(ascii: "["):
        if try enter(bytes, until: UInt8(ascii: "]")) {
          nesting.push(isObject: false)
          continue values
        }
      default:
        while at < bytes.count, Self.isWordByte(bytes[at]) { at &+= 1 }
      }
      while true {
        if nesting.isEmpty { return }
        let isObject = nesting.isInObject
        let closer = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if try another(bytes, until: closer) {
          if peek(bytes) != closer {
            if isObject { try skipKeyLoosely(bytes) }
            continue values
          }
          at &+= 1
          depth &-= 1
        }
        nesting.pop()
      }
    }
  }

  /// Moves past the next value, loosely if it breaks the rules: for a first look at a body whose
  /// rows are read afterward, when each is judged alone.
  mutating func skipRows(_ bytes: Span<UInt8>) throws(JSONFault) {
    let start = self
    do throws(JSONFault) {
      try skipValue(bytes)
    } catch {
      if error.isCut || error.reason == .depth { throw error }
      self = start
      do throws(JSONFault) {
        try skipLoosely(bytes)
      } catch let rest {
        throw rest.isCut ? rest : error
      }
    }
  }

  private mutating func skipKeyLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.key, bytes) }
    try skipStringLoosely(bytes)
    try colon(bytes)
  }

  private mutating func skipStringLoosely(_ bytes: Span<UInt8>) throws(JSONFault) {
    at &+= 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      at &+= bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard at < bytes.count else { throw JSONFault(offset: bytes.count, reason: .end) }
    at &+= 1
  }

  /// Returns whether a byte may be part of a word or a number.
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
